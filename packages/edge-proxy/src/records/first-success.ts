/** Which payment of a session counts as its own. Pure. */

/** The attempt whose payment is the session's: the first one that succeeded. */
export function firstSuccess<Attempt extends { readonly status: string; readonly endedAt: number | string | null }>(
  attempts: readonly Attempt[],
): Attempt | undefined {
  return attempts
    .filter(({ status }) => status === 'succeeded')
    .reduce<Attempt | undefined>(
      (first, next) => (first === undefined || (next.endedAt ?? 0) < (first.endedAt ?? 0) ? next : first),
      undefined,
    );
}
