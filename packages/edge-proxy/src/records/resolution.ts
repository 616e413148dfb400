/** What somebody found out about an uncertain outcome, as the objects store it. */
import type { RecordedSessionResolution } from '@innkeep/core/contract';

/** Who resolved an uncertain outcome, and why. */
export interface Resolution extends Readonly<Omit<RecordedSessionResolution, 'at'>> {
  readonly at: number;
}

/** What somebody found out, before it is written down who did. */
export type Finding = Omit<Resolution, 'at' | 'by'>;
