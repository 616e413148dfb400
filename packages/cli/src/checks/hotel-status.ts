/** What a person must look at in a hotel, from the proxy's figures. */
import type { PropertyStatus, WebhookEndpoint } from '@innkeep/core/contract';

export interface HotelStatus {
  readonly property: string;
  /** The proxy's figures; null while it cannot serve the hotel. */
  readonly figures: PropertyStatus | null;
  /** Webhook endpoints that get nothing, or one event at a time, or have not taken one for long. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** Why the proxy cannot serve the hotel; null while it does. */
  readonly problem: string | null;
}

/** The share of the server's capacity from which it is a finding. */
const NEARLY_ALL = 0.7;
/** How long an event may wait before its endpoint is a finding: one event alone pauses none, however often it is refused. */
const LATE_MS = 60 * 60_000;
/** How far the proxy counts in one hotel. */
const COUNTED_UP_TO = 10_000;
const KINDS = [
  ['checkoutSessions', 'session'],
  ['charges', 'charge'],
  ['reversals', 'reversal'],
] as const;

/** Whether an event has waited for long. */
export function isLate({ webhooks: { oldestWaitingAt } }: PropertyStatus, now: Date): boolean {
  return oldestWaitingAt !== null && now.getTime() - Date.parse(oldestWaitingAt) > LATE_MS;
}

/** Sentences for what somebody has to look at, each with what to do; `option` names the hotel in a command. */
export function findingsOf({ figures, endpoints, problem }: HotelStatus, option: string): readonly string[] {
  const found = problem === null ? [] : [problem];
  for (const [kind, noun] of KINDS) {
    const count = figures?.[kind].unknown ?? 0;
    if (count > 0) found.push(`unknown ${noun}s: ${count}. See which: innkeep ${noun} list --status unknown${option}`);
  }
  const upstream = figures?.upstream?.status;
  if (upstream === 'down') found.push('payment service: down; charges are refused until it answers');
  if (upstream === 'unknown') {
    found.push(
      'payment service: its state cannot be read, so probably nobody can pay; look for errors in the proxy’s log',
    );
  }
  if (upstream === 'refused') {
    found.push('payment service: refuses the login, so nobody can pay; correct the username or the password');
  }
  if (upstream === 'refuses_starts') {
    found.push(
      'payment service: takes the login but refused the last starts, so probably nobody can pay; check customerId and baseUrl, and ask whether the account is suspended',
    );
  }
  for (const { host, status, waiting, pausedSince, disabledSince, lastFailureStatus } of endpoints) {
    if (status === 'active') {
      const last = lastFailureStatus ?? 'no answer';
      found.push(`webhook ${host}: does not accept every event; events waiting: ${waiting}; last failure: ${last}`);
      continue;
    }
    const since = status === 'disabled' ? disabledSince : pausedSince;
    const why =
      status === 'disabled' ? 'it answered 410; redeliver an event to try it again' : 'it does not accept events';
    found.push(`webhook ${host}: ${status} since ${since ?? 'an unknown time'}, events waiting: ${waiting}; ${why}`);
  }
  if (figures !== null && figures.ledger.status !== 'ok') {
    const { status, percent } = figures.ledger;
    const what = status === 'full' ? 'full, so new charges are refused' : 'nearly full';
    found.push(`ledger: ${percent} %, ${what}`);
  }
  return found;
}

/** Says that the server comes near the payments it can poll at once; undefined while it does not. */
export function capacityFinding(hotels: readonly HotelStatus[]): string | undefined {
  const all = hotels.flatMap(({ figures }) => figures ?? []);
  const pending = all.reduce((sum, figures) => sum + figures.checkoutSessions.waiting, 0);
  const { maxPending } = all[0]?.server ?? { maxPending: null };
  if (maxPending === null || pending < NEARLY_ALL * maxPending) return undefined;
  const atLeast = all.some(({ checkoutSessions }) => checkoutSessions.waiting >= COUNTED_UP_TO) ? 'at least ' : '';
  // The proxy counts open and pending sessions together.
  return `server: ${atLeast}${pending} open or pending sessions, and files for pending ones up to about ${maxPending}; raise its limit of open files (ulimit -Hn, LimitNOFILE=) and restart it, unless most are only open: innkeep session list --status open`;
}

/** How many of a hotel's payments, charges and reversals are unknown, or are waiting. */
export function countOf(figures: PropertyStatus, what: 'unknown' | 'waiting'): number {
  return KINDS.reduce((sum, [kind]) => sum + figures[kind][what], 0);
}
