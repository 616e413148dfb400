/** The proxy inside the test: one hotel's payments, and what a desk may do with them. It follows the types of the contract. */
import type {
  Desk,
  DeskEvent,
  DeskFeature,
  Payment,
  PaymentAttempt,
  PaymentLine,
  PaymentPage,
  PaymentReversal,
  Reversal,
} from '@innkeep/core/contract';
import { vi } from 'vitest';

export const ENDPOINT = 'https://pay.hotel.example';
export const SECRET = 'ds_01J0000000000000000000000A_secret';
const AUTHOR = { key: 'desk', person: 'anna', via: 'desk' } as const;
const TODAY = '2026-11-26';
/** As the proxy’s search. */
const fold = (text: string): string => text.normalize('NFKC').toUpperCase().trim();
export const EUR = (value: number) => ({ value, currency: 'EUR' });
const idOf = (prefix: string, n: number): string => `${prefix}_01J${String(n).padStart(23, '0')}`;

export interface SeenCall {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  secret: string | null;
  key: string | null;
  body: Record<string, unknown> | undefined;
}

/** A payment by a guest, paid this morning; `changes` overrides any of it. */
export function payment(changes: Partial<Payment> = {}, n = 1): Payment {
  const taken = changes.taken === undefined ? EUR(33_000) : changes.taken;
  const card = { brand: 'visa', last4: '4242', chargeableUntil: null } as const;
  return {
    object: 'payment',
    kind: 'payment',
    id: idOf('cs', n),
    property: 'aurora',
    type: 'checkout_session',
    status: 'succeeded',
    final: true,
    livemode: false,
    reference: 'RES-1234',
    description: 'Lake Room, 2 nights',
    amount: EUR(33_000),
    taken,
    reversed: taken && EUR(0),
    reversing: taken && EUR(0),
    reversible: taken,
    card,
    by: { key: 'web', person: null, via: 'key' },
    createdAt: '2026-11-26T08:00:00.000Z',
    startedAt: '2026-11-26T08:01:00.000Z',
    paidAt: taken && '2026-11-26T08:02:00.000Z',
    expiresAt: '2026-11-26T08:30:00.000Z',
    flags: [],
    outdated: false,
    reason: null,
    note: null,
    transactionId: null,
    error: null,
    resolution: null,
    completedAt: '2026-11-26T08:02:00.000Z',
    attempts: [attempt({ taken })],
    reversals: [],
    duplicates: [],
    position: 7,
    ...changes,
  };
}

/** The first attempt to pay it. */
export function attempt(changes: Partial<PaymentAttempt> = {}): PaymentAttempt {
  const { taken = EUR(33_000) } = changes;
  return {
    number: 1,
    status: 'succeeded',
    error: null,
    amount: EUR(33_000),
    taken,
    surcharge: null,
    transactionId: '4711',
    card: { brand: 'visa', last4: '4242', chargeableUntil: null },
    startedAt: '2026-11-26T08:01:00.000Z',
    endedAt: '2026-11-26T08:02:00.000Z',
    late: false,
    recorded: null,
    resolution: null,
    reversed: taken && EUR(0),
    reversing: taken && EUR(0),
    reversible: taken,
    ...changes,
  };
}

/** A payment of which no money is known yet. */
function unpaid(n: number, changes: Partial<Payment>): Payment {
  return payment({ final: false, taken: null, paidAt: null, ...changes }, n);
}

/** A day of the hotel with something of everything. */
function aDay(): Payment[] {
  const error = { code: 'record_unreadable', message: 'No record' } as const;
  const lost = attempt({ status: 'unknown', taken: null, transactionId: null, endedAt: null, error });
  const card = { brand: 'mastercard', last4: '4444', chargeableUntil: '2026-12-31T22:59:59.000Z' } as const;
  const nothing = { amount: null, taken: null };
  const stored = { ...nothing, card, reference: 'RES-4000', description: 'Guarantee', attempts: [attempt(nothing)] };
  return [
    payment(),
    unpaid(2, { status: 'unknown', reference: 'RES-2000', description: null, flags: ['unknown'], attempts: [lost] }),
    unpaid(3, { status: 'open', reference: 'RES-3000', startedAt: null, card: null, attempts: [] }),
    payment({ ...stored, kind: 'card' }, 4),
  ];
}

/** The line of a payment. */
export function lineOf({ object: _, id, attempts, reversals, duplicates, position, ...rest }: Payment): PaymentLine {
  const happenedAt = rest.paidAt ?? rest.createdAt;
  const counted = rest.taken && { taken: rest.taken, reversed: rest.reversed ?? EUR(0) };
  // Its union of kinds is wider than a payment's.
  return {
    ...rest,
    object: 'payment_line',
    id,
    payment: id,
    attempt: attempts[0]?.number ?? null,
    happenedAt,
    counted,
  } as PaymentLine;
}

export class FakeDesk {
  readonly calls: SeenCall[] = [];
  payments: Payment[] = aDay();
  events: DeskEvent[] = [];
  desk: Desk = {
    object: 'desk',
    property: {
      id: 'aurora',
      name: 'Hotel Aurora',
      livemode: false,
      timeZone: 'Europe/Vienna',
      dayStartsAt: '04:00',
      maxAmount: { EUR: 500_000 },
    },
    person: { id: 'anna' },
    features: ['read', 'reverse', 'charge', 'link', 'resolve', 'export'],
    maxReversal: null,
    expiresAt: '2026-11-26T18:00:00.000Z',
  };
  /** Secrets that are known. */
  secrets = new Set([SECRET]);
  /** What the next money operation comes to. */
  outcome: Reversal['status'] = 'succeeded';
  /** Answers in place of the usual ones, until it returns undefined. */
  intercept: ((call: SeenCall) => Response | Promise<Response> | undefined) | undefined;
  /** What was done, by the key that it was done with. */
  readonly #done = new Map<string, Record<string, unknown>>();

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const headers = new Headers(init.headers);
    const call: SeenCall = {
      method: init.method ?? 'GET',
      path: url.pathname.replace('/v1/', ''),
      query: Object.fromEntries(url.searchParams),
      secret: headers.get('authorization')?.replace('Bearer ', '') ?? null,
      key: headers.get('idempotency-key'),
      body: init.body ? JSON.parse(String(init.body)) : undefined,
    };
    this.calls.push(call);
    init.signal?.throwIfAborted();
    const special = this.intercept?.(call);
    if (special) {
      const aborted = new Promise<never>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      return Promise.race([special, aborted]);
    }
    return this.answer(call);
  };

  /** The usual answer. */
  answer(call: SeenCall): Response {
    if (!this.secrets.has(call.secret ?? '')) return problem(401, 'unauthorized');
    return call.method === 'GET' ? this.#read(call) : this.#write(call);
  }

  /** Calls that change something. */
  get writes(): SeenCall[] {
    return this.calls.filter(({ method }) => method === 'POST');
  }

  /** Calls of one path. */
  at(path: string): SeenCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  /** The hotel's day. */
  today: string = TODAY;

  allow(...features: DeskFeature[]): void {
    this.desk = { ...this.desk, features };
  }

  /** Changes a payment, as somebody else does it, and tells the feed. */
  change(id: string, changes: Partial<Payment>): void {
    this.payments = this.payments.map((each) => (each.id === id ? { ...each, ...changes } : each));
    this.tell(id);
  }

  tell(resource: string): void {
    const position = 8 + this.events.length;
    const id = idOf('ev', position);
    this.events.push({ id, type: 'checkout.succeeded', createdAt: '2026-11-26T09:00:00.000Z', position, resource });
  }

  #read({ path, query }: SeenCall): Response {
    if (path === 'desk') return json(this.desk);
    if (path === 'events') {
      const data = this.events.filter(({ position }) => position > Number(query.after));
      const end = Math.min(Number(query.after), 7 + this.events.length);
      return json({ object: 'list', data, nextAfter: data.at(-1)?.position ?? end });
    }
    if (path === 'payments.csv') return text('\ufeff"reference";"amount"\r\n"RES-1234";"330,00"\r\n');
    if (path === 'payments') return json(this.#list(query));
    const [kind, id = ''] = path.split('/');
    if (kind === 'reversals' || kind === 'charges')
      return json([...this.#done.values()].find((each) => each.id === id) ?? {});
    const found = this.payments.find((each) => each.id === id);
    return found ? json({ ...found, position: 7 + this.events.length }) : problem(404, 'not_found');
  }

  #list({ q, status }: Readonly<Record<string, string>>): PaymentPage {
    const data = this.payments
      .filter((each) => !q || fold(each.reference ?? '').startsWith(fold(q)))
      .filter((each) => !status || each.status === status)
      .map(lineOf);
    const sum = (pick: (line: PaymentLine) => number): number => data.reduce((all, line) => all + pick(line), 0);
    const taken = sum(({ counted }) => counted?.taken.value ?? 0);
    const reversed = sum(({ counted }) => counted?.reversed.value ?? 0);
    const payments = data.filter(({ counted }) => counted).length;
    const total = { currency: 'EUR', payments, taken, reversals: 0, reversed, net: taken - reversed };
    return {
      object: 'list',
      data,
      nextCursor: null,
      totals: q ? null : [total],
      position: 7 + this.events.length,
      days: {
        timeZone: 'Europe/Vienna',
        dayStartsAt: '04:00',
        today: this.today,
        from: '2026-11-26T03:00:00.000Z',
        to: '2026-11-27T03:00:00.000Z',
      },
    };
  }

  #write({ path, key, body = {} }: SeenCall): Response {
    const [kind = '', id = '', verb] = path.split('/');
    if (verb === 'link') {
      const url = `${ENDPOINT}/pay/${id}_link`;
      return json({ url, qrUrl: `${url}/qr.svg`, expiresAt: '2026-12-01T10:00:00.000Z' });
    }
    if (verb === 'expire' || verb === 'resolve') {
      this.change(id, {
        status: verb === 'expire' ? 'expired' : body.status === 'failed' ? 'failed' : 'succeeded',
        final: true,
        flags: [],
      });
      return json({ id, status: 'expired' });
    }
    const before = this.#done.get(key ?? '');
    if (before) return json(before, 201);
    if (kind === 'checkout-sessions') return this.#do(key, { id: idOf('cs', 50 + this.#done.size), status: 'open' });
    const equal = [...this.#done.values()].find((each) => JSON.stringify(each.amount) === JSON.stringify(body.amount));
    if (equal && !body.allowDuplicate) return problem(409, 'possible_duplicate', { resource: equal.id });
    const made = {
      id: idOf(kind === 'charges' ? 'ch' : 'rv', 10 + this.#done.size),
      status: this.outcome,
      // The element under test has sent an amount.
      amount: body.amount as PaymentReversal['amount'],
      by: AUTHOR,
      createdAt: '2026-11-26T12:00:00.000Z',
    };
    if (kind === 'charges') return this.#do(key, { object: 'charge', ...made });
    this.#giveBack(made, body);
    return this.#do(key, made);
  }

  #do(key: string | null, made: Record<string, unknown>): Response {
    if (key) this.#done.set(key, made);
    return json(made, 201);
  }

  #giveBack(
    made: Pick<PaymentReversal, 'id' | 'amount' | 'by' | 'createdAt'>,
    { payment: id, reason = null, note = null }: Record<string, unknown>,
  ): void {
    const found = this.payments.find((each) => each.id === id);
    if (!found?.taken || this.outcome !== 'succeeded') return;
    const reversed = EUR((found.reversed?.value ?? 0) + made.amount.value);
    const reversible = EUR(found.taken.value - reversed.value);
    const reversal = {
      ...made,
      final: true,
      attempt: 1,
      reason,
      note,
      transactionId: '1',
      error: null,
      resolution: null,
      completedAt: made.createdAt,
    } as PaymentReversal;
    this.change(found.id, {
      status: reversible.value > 0 ? 'partly_reversed' : 'reversed',
      reversed,
      reversible,
      attempts: found.attempts.map((each) => ({ ...each, reversed, reversible })),
      reversals: [...found.reversals, reversal],
    });
  }
}

/** A real Response reads its body in a task of its own; this one answers within the microtasks that `settle` runs, unless it is a file. */
export function text(body: string, status = 200, headers: Record<string, string> = {}): Response {
  const file = body.startsWith('\ufeff') && new Blob([body]);
  const blob = async (): Promise<Blob> => file || ({ text: async () => body } as Blob);
  // The client uses these four members of a response and no other.
  return { ok: status < 400, status, headers: new Headers(headers), blob } as Response;
}

/** A page of a list of payments, the last one. */
export function listed(data: readonly object[], more: object = {}): Response {
  return json({ data, nextCursor: null, totals: [], position: 7, days: { today: TODAY }, ...more });
}

export function json(body: unknown, status = 200): Response {
  return text(JSON.stringify(body), status);
}

export function problem(
  status: number,
  code: string,
  { retryAfter, ...more }: { retryAfter?: number; [name: string]: unknown } = {},
): Response {
  const body = JSON.stringify({ status, code, traceId: 'trace-1', ...more });
  return text(body, status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}

export function installFakeDesk(): FakeDesk {
  const desk = new FakeDesk();
  vi.stubGlobal('fetch', desk.fetch);
  return desk;
}
