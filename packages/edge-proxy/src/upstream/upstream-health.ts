/**
 * Whether an upstream is known to be down: several independent resources failed and nothing has succeeded since. Repeated
 * failures of one resource may be its own fault, so they count once. Charging through a service that is down would
 * most likely end in an unknown outcome, so it is refused before anything is stored.
 */

/** How long the newest failure is believed. */
const KNOWN_DOWN_MS = 10_000;
/** How far apart failures may be and still count together: polls that time out take half a minute each. */
export const COLLECT_MS = 60_000;
/** Three resources, or a login and one resource, or two logins. */
const ENOUGH = 3;
/** A failed login does not depend on one resource, so it counts more. */
const LOGIN_WEIGHT = 2;

/** Name of the login among the sources. Each attempt counts: no two of them have anything of a guest in common. */
export const LOGIN_SOURCE = 'login';

/** One finished call, as far as it shows whether the upstream is up. */
export interface HealthReport {
  /** Id of the session, charge or reversal it was for, or {@link LOGIN_SOURCE}. */
  readonly source: string;
  readonly isUp: boolean;
  /** When it ended, in milliseconds. */
  readonly at: number;
  /** Whose upstream it was. Older versions leave it out. */
  readonly property?: string;
}

/** What is known of an upstream. Instants in milliseconds. */
export interface UpstreamHealth {
  /** Failures that no success has followed: the newest of each source, oldest first, no more than are needed. */
  readonly failures: readonly Omit<HealthReport, 'isUp' | 'property'>[];
  readonly succeededAt: number;
}

/** Nothing is known yet. */
export const UNKNOWN_HEALTH: UpstreamHealth = { failures: [], succeededAt: Number.NEGATIVE_INFINITY };

/** Adds one finished call. Reports may arrive late, so their own times decide; what is further ahead was before the clock went back. */
export function noteHealth(health: UpstreamHealth, { source, isUp, at }: HealthReport): UpstreamHealth {
  const isBeforeStep = (other: number): boolean => other - at >= COLLECT_MS;
  const succeededAt = isBeforeStep(health.succeededAt) ? UNKNOWN_HEALTH.succeededAt : health.succeededAt;
  const failures = health.failures.filter((failure) => !isBeforeStep(failure.at));
  if (isUp) {
    const latest = Math.max(succeededAt, at);
    return { failures: failures.filter((failure) => failure.at > latest), succeededAt: latest };
  }
  if (at <= succeededAt) return { failures, succeededAt };
  const others = failures.filter((failure) => source === LOGIN_SOURCE || failure.source !== source);
  const all = [...others, { source, at }].filter((failure) => at - failure.at < COLLECT_MS);
  return { failures: all.sort((a, b) => a.at - b.at).slice(-ENOUGH), succeededAt };
}

/** Whether a failure was not followed by a success: then the next success should be reported. */
export function isUnresolved({ failures }: UpstreamHealth): boolean {
  return failures.length > 0;
}

/** Whether as many independent failures as say that it is down were not followed by a success. */
export function hasFailedEnough({ failures }: UpstreamHealth): boolean {
  const weight = failures.reduce((sum, { source }) => sum + (source === LOGIN_SOURCE ? LOGIN_WEIGHT : 1), 0);
  return weight >= ENOUGH;
}

/** How long charges are still to be refused, in milliseconds; 0 when they are not, or when the clock was set back since. */
export function knownDownMs(health: UpstreamHealth, now: number): number {
  const newest = health.failures.at(-1);
  if (newest === undefined || newest.at > now || !hasFailedEnough(health)) return 0;
  return Math.max(0, newest.at + KNOWN_DOWN_MS - now);
}

/**
 * Whether a finished call shows the upstream up or down; undefined when it shows neither. Every success shows it up. A
 * refusal, or a readable answer with a strange field, shows neither; but without a login nothing works. Failures of charges
 * and reversals are not counted: they are judged on their own.
 * @param call.code core's error code; absent after success
 * @param call.isJson whether the body could be read as JSON
 */
export function healthOf(call: {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly isJson?: boolean;
}): boolean | undefined {
  if (call.code === undefined) return true;
  if (!READS.has(call.operation)) return undefined;
  if (call.status === undefined || call.status >= 500) return false;
  if (call.operation === 'login' && call.code === 'invalid_response') return false;
  const isAnswer = call.status >= 400 || (call.status < 300 && call.isJson === true);
  return isAnswer ? undefined : false;
}

/**
 * Whether a finished call shows that starts are taken; undefined when it shows neither. A start names nothing that could be missing or
 * somebody else's: 401, 403 and 404 are about the account and the address. Any other refusal may be about what was asked.
 */
export function isTakenStart(call: {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}): boolean | undefined {
  if (!STARTS.has(call.operation)) return undefined;
  if (call.code === undefined) return true;
  return /^40[134]$/.test(`${call.status}`) ? false : undefined;
}

const STARTS: ReadonlySet<string> = new Set(['initpayNoIframe', 'initCreateTokenNoIframe']);
const READS: ReadonlySet<string> = new Set(['login', 'paystatus', 'transaction']);
