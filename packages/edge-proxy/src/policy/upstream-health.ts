/**
 * Whether an upstream is known to be down: a read or a login failed in the last ten seconds and none has succeeded
 * since. Charging through it would most likely end in an unknown outcome, so it is refused before anything is stored.
 */

const KNOWN_DOWN_MS = 10_000;

/** What was last seen of an upstream. Instants in milliseconds. */
export interface UpstreamHealth {
  /** The last failure that no success has followed. */
  readonly failedAt: number | null;
}

/** Folds one finished read or login into the health. */
export function noteHealth(isUp: boolean, now: number): UpstreamHealth {
  return { failedAt: isUp ? null : now };
}

/** True while charging would be reckless. */
export function isKnownDown({ failedAt }: UpstreamHealth, now: number): boolean {
  return failedAt !== null && now - failedAt < KNOWN_DOWN_MS;
}

/**
 * What a finished read or login says; undefined when it says nothing about the upstream being up.
 * A refusal is an answer, and so is a readable one with a strange field in it: whoever answers is there.
 * @param call.code core's error code; absent after success
 * @param call.isJson whether the body could be read as JSON
 */
export function healthOf(call: {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly isJson?: boolean;
}): boolean | undefined {
  if (!HEALTH_OPERATIONS.has(call.operation)) return undefined;
  if (call.code === undefined) return true;
  if (call.status === undefined || call.status >= 500) return false;
  const isAnswer = call.status >= 400 || (call.status < 300 && call.isJson === true);
  return isAnswer ? undefined : false;
}

const HEALTH_OPERATIONS: ReadonlySet<string> = new Set(['login', 'paystatus', 'transaction']);
