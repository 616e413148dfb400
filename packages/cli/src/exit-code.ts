/** Exit codes of the `innkeep` command. Stable: scripts switch on them. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** Refused, or proven not executed; for `hotel check`: something needs a fix. */
  failed: 1,
  /** The command line, a setting or an input file is wrong; nothing was sent. */
  usage: 2,
  /** Money may have moved and nobody knows yet. Repeat only with the same idempotency key. */
  outcomeUnknown: 3,
  /** The card or the payment service said no; nothing was charged or given back. */
  declined: 4,
  /** Stopped by the user while no money was on its way. */
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
