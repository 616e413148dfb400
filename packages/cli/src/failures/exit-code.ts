/** Exit codes of the `innkeep` command. Stable: scripts switch on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  outcomeUnknown: 3,
  declined: 4,
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a run ends: one of ours, or that of the site’s own command, which `innkeep dev` passes on. */
export type ExitStatus = ExitCode | (number & {});

/** What each means, as `--help` says it. */
export const EXIT_CODES: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'refused, or proven not executed; for hotel check and status: something needs a look'],
  [EXIT.usage, 'the command line, a setting or a file is wrong; nothing was sent'],
  [EXIT.outcomeUnknown, 'outcome unknown: money may have moved; repeat only with the same idempotency key'],
  [EXIT.declined, 'declined: nothing was charged or refunded'],
  [EXIT.interrupted, 'stopped (Ctrl-C, SIGTERM, SIGHUP) while no money was on its way'],
];
