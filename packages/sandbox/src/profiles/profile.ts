import type { DeclineReason } from '../domain/decline-reason.ts';
import type { FieldRule } from '../wire/field-rules.ts';
import type { Refusal } from '../wire/refusal.ts';

/** Names of the two dialects. */
export type ProfileName = 'strict' | 'lenient';

/** A dialect: everything in which two readings of the upstream service may differ. */
export interface Profile {
  /** Rule for `datetime` fields of requests. */
  readonly dateTimeRule: FieldRule['objection'];
  readonly ignoresUnknownFields: boolean;
  readonly acceptsAnyTheme: boolean;
  /** Whether a gateway document may differ in root spelling and encoding. */
  readonly readsAnyXml: boolean;
  /** Whether the outcome of a hosted request is also posted to the callback address, server to server. */
  readonly postsCallbacks: boolean;
  /** Success code of the n-th answer (counted from 1). */
  readonly successCode: (nth: number) => string | number;
  /** `YYYY-MM-DDTHH:MM:SS` → as this dialect writes it. */
  readonly dateTime: (localDateTime: string) => string;
  /** First 6, six dots, last 4 → as this dialect writes it. */
  readonly mask: (masked: string) => string;
  /** Fields of a refusing answer. */
  readonly declined: (reason: DeclineReason) => Readonly<Record<string, string>>;
  /** A refused request of the payment API as an answer. */
  readonly refused: (refusal: Refusal) => {
    readonly status: number;
    readonly fields: Readonly<Record<string, string>>;
  };
}
