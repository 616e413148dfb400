import { acquirePermit, type CallFor, isRefused, type Permit } from '../src/upstream/call-budget.ts';
import type { CallKind } from '../src/upstream/fair-share.ts';

/** Takes every permit that there is for such calls. */
export function takePermits(kind: CallKind, call: CallFor): Permit[] {
  const permits: Permit[] = [];
  for (;;) {
    const permit = acquirePermit(kind, call);
    if (isRefused(permit)) return permits;
    permits.push(permit);
  }
}
