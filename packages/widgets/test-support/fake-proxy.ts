/** A payment proxy inside the test: answers the guest calls of the contract and counts them. */
import type { CheckoutStatus, CheckoutView } from '@innkeep/core/checkout';
import { vi } from 'vitest';

export const ENDPOINT = 'https://pay.hotel.example';
export const SESSION_ID = 'cs_01J0000000000000000000000A';
export const SECRET = `${SESSION_ID}_0123456789012345678901234567890123456789abc`;
export const VIEW_URL = 'https://hosted.example/payment?PD=opaque';

export interface SeenRequest {
  method: string;
  path: string;
  secret: string;
  body: unknown;
  signal: AbortSignal | null | undefined;
}

/** What a session can come to: a status of its own, or the end of an attempt, which leaves it open. */
export type Outcome = CheckoutStatus | 'failed' | 'canceled';

/** The view of a session that has come to this. */
export function viewAfter(outcome: Outcome, changes: Partial<CheckoutView> = {}): CheckoutView {
  if (outcome === 'failed') return view({ error: { code: 'upstream_failed' }, ...changes });
  if (outcome === 'canceled') return view({ error: { code: 'canceled_by_guest' }, ...changes });
  return view({ status: outcome, ...changes });
}

/** A guest view with everything an open payment has; `changes` overrides any of it. */
export function view(changes: Partial<CheckoutView> = {}): CheckoutView {
  const { status = 'open', error = null, final = status === 'succeeded' } = changes;
  return {
    id: SESSION_ID,
    kind: 'payment',
    status,
    final,
    seq: status === 'open' && !error ? 1 : status === 'pending' ? 2 : 3,
    terms: 1,
    livemode: false,
    amount: { value: 12000, currency: 'EUR' },
    surcharge: false,
    returned: false,
    hotelName: 'Hotel Aurora',
    acceptedBrands: [],
    reference: 'RES-1234',
    description: '2 nights',
    receipt:
      status === 'succeeded'
        ? {
            base: { value: 12000, currency: 'EUR' },
            surcharge: { amount: { value: 180, currency: 'EUR' }, percent: 1.5 },
            total: { value: 12180, currency: 'EUR' },
            maskedCard: '424242......4242',
            completedAt: '2026-11-21T10:00:00Z',
          }
        : null,
    error,
    expiresAt: '2099-01-01T00:00:00Z',
    nextPollMs: final || status === 'open' ? null : 20,
    ...changes,
  };
}

export class FakeProxy {
  readonly requests: SeenRequest[] = [];
  /** What every session answers; replace it to move the session on. */
  current: CheckoutView = view();
  viewUrl = VIEW_URL;
  /** Answers in place of the usual ones, until it returns undefined. */
  intercept: ((request: SeenRequest) => Response | Promise<Response> | undefined) | undefined;

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      path: String(input).replace(ENDPOINT, ''),
      secret: new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '',
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      signal: init.signal,
    };
    this.requests.push(request);
    await Promise.resolve();
    if (init.signal?.aborted) throw init.signal.reason;
    const special = this.intercept?.(request);
    if (special) {
      const aborted = new Promise<never>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      return Promise.race([special, aborted]);
    }
    if (request.method === 'GET') return json(this.current);
    if (!['open', 'pending'].includes(this.current.status)) return problem(409, 'session_not_open');
    if (Object(request.body).terms !== this.current.terms) return problem(409, 'terms_changed');
    if (this.current.status === 'open') this.moveTo('pending');
    return json({ ...this.current, viewUrl: this.viewUrl });
  };

  get starts(): SeenRequest[] {
    return this.requests.filter(({ method }) => method === 'POST');
  }

  get reads(): SeenRequest[] {
    return this.requests.filter(({ method }) => method === 'GET');
  }

  moveTo(outcome: Outcome, changes: Partial<CheckoutView> = {}): void {
    const { status, final, seq, receipt, error, nextPollMs } = viewAfter(outcome, changes);
    const next = Math.max(seq, this.current.seq + 1);
    this.current = { ...this.current, status, final, receipt, error, nextPollMs, seq: next, ...changes };
  }
}

// A real Response reads its body in a task of its own; this one answers within the microtasks that `settle` runs.
function answer(body: unknown, status: number): Response {
  const text = async (): Promise<string> => JSON.stringify(body);
  // The client uses these four members of a response and no other.
  return { ok: status < 400, status, headers: new Headers(), text } as Response;
}

export function json(body: unknown): Response {
  return answer(body, 200);
}

export function problem(status: number, code: string): Response {
  return answer({ type: 'about:blank', title: code, status, code, detail: code, traceId: 'test' }, status);
}

/** Puts a fresh proxy in the place of `fetch`. */
export function installFakeProxy(): FakeProxy {
  const proxy = new FakeProxy();
  vi.stubGlobal('fetch', proxy.fetch);
  return proxy;
}
