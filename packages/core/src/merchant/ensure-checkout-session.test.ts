import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckoutSession, CreateCheckoutSession } from '../contract/checkout-session.ts';
import type { CheckoutStatus } from '../contract/checkout-status.ts';
import { MerchantError, NetworkError } from '../errors.ts';
import { ensureCheckoutSession } from './ensure-checkout-session.ts';

const BOOKING = {
  key: 'RES-1',
  kind: 'payment',
  amount: { value: 100, currency: 'EUR' },
  reference: 'RES-1',
} as const;
const DEARER = { ...BOOKING, amount: { value: 120, currency: 'EUR' } } as const;

type State = CheckoutStatus | 'lapsed' | 'starting';

/** One session of {@link FakeProxy}. */
interface Kept {
  readonly id: string;
  readonly body: string;
  state: State;
  late: boolean;
  hasLink: boolean;
  /** The try that the link led to. */
  successor?: Kept;
}

/** What the proxy does with sessions, as far as it matters here. Every call is one step: nothing happens in between. */
class FakeProxy {
  readonly sessions = new Map<string, Kept>();
  readonly log: string[] = [];
  /** What the payment service says about a session that is looked at. */
  readonly paidAfterAll = new Set<string>();
  /** Called before each call; may throw, or let others go first. */
  before: (call: string) => Promise<void> | void = () => undefined;

  create = async (body: CreateCheckoutSession, { idempotencyKey }: { idempotencyKey: string }) => {
    await this.#step(`create ${idempotencyKey}`);
    const text = JSON.stringify(body);
    const kept = this.sessions.get(idempotencyKey);
    if (kept !== undefined && kept.body !== text) throw refusal('idempotency_mismatch', kept.id);
    if (kept !== undefined) return { ...view(kept), clientSecret: `secret of ${kept.id}` };
    const made: Kept = { id: idempotencyKey, body: text, state: 'open', late: false, hasLink: false };
    this.sessions.set(idempotencyKey, made);
    return { ...view(made), clientSecret: `secret of ${made.id}` };
  };

  retrieve = async (id: string) => {
    await this.#step(`retrieve ${id}`);
    return view(this.get(id));
  };

  list = async ({ idempotencyKey }: { idempotencyKey: string }) => {
    await this.#step(`list ${idempotencyKey}`);
    const kept = this.sessions.get(idempotencyKey);
    return { object: 'list' as const, data: kept === undefined ? [] : [view(kept)], nextCursor: null };
  };

  expire = async (id: string) => {
    await this.#step(`expire ${id}`);
    const kept = this.get(id);
    this.#expire(kept);
    return view(kept);
  };

  refresh = async (id: string) => {
    await this.#step(`refresh ${id}`);
    const kept = this.get(id);
    if (this.paidAfterAll.has(id)) Object.assign(kept, { state: 'succeeded', late: true });
    return view(kept);
  };

  createClientSecret = async (id: string) => {
    await this.#step(`secret ${id}`);
    return { clientSecret: `another secret of ${id}` };
  };

  get(id: string): Kept {
    const kept = this.sessions.get(id);
    if (kept === undefined) throw refusal('not_found', id);
    return kept;
  }

  set(id: string, change: Partial<Kept>): void {
    Object.assign(this.get(id), change);
  }

  /** A guest tries again through the payment link of a session that has ended without money. */
  follow(id: string, state: State): Kept {
    const made: Kept = { ...this.get(id), id: `${id}-by-link`, state, hasLink: true };
    this.sessions.set(made.id, made);
    this.set(id, { successor: made });
    return made;
  }

  /** Sessions that a guest could pay, is paying or has paid. */
  get payable(): Kept[] {
    return [...this.sessions.values()].filter(({ state }) =>
      ['open', 'starting', 'pending', 'succeeded'].includes(state),
    );
  }

  #expire(kept: Kept): void {
    const { state, successor } = kept;
    if (state === 'pending' || state === 'starting') throw refusal('payment_in_progress', kept.id);
    if (state === 'open') {
      kept.state = 'lapsed';
    } else if (successor !== undefined) {
      this.#expire(successor);
    } else {
      if (!kept.hasLink || !['failed', 'canceled', 'expired'].includes(state)) {
        throw refusal('session_not_open', kept.id);
      }
      kept.hasLink = false;
    }
  }

  async #step(call: string): Promise<void> {
    this.log.push(call);
    await this.before(call);
  }
}

function view({ id, body, state, late }: Kept): CheckoutSession {
  const status = state === 'lapsed' ? 'expired' : state === 'starting' ? 'open' : state;
  const final = ['succeeded', 'failed', 'canceled', 'lapsed'].includes(state);
  return { id, status, final, late, amount: JSON.parse(body).amount } as unknown as CheckoutSession;
}

function refusal(code: string, resource: string): MerchantError {
  return new MerchantError(code, code, { status: 409, resource });
}

describe('ensureCheckoutSession', () => {
  it('gives the same booking the same session and client secret, in one call', async () => {
    const proxy = new FakeProxy();
    const first = await ensureCheckoutSession(proxy, BOOKING);
    expect(first).toMatchObject({ outcome: 'open', isOutdated: false, clientSecret: 'secret of RES-1-1' });
    expect(first.session).not.toHaveProperty('clientSecret');
    expect(await ensureCheckoutSession(proxy, BOOKING)).toEqual(first);
    expect(proxy.log).toEqual(['create RES-1-1', 'create RES-1-1']);
  });

  it('ends the session of an earlier price and makes another one', async () => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    const dearer = await ensureCheckoutSession(proxy, DEARER);
    expect(dearer).toMatchObject({
      outcome: 'open',
      isOutdated: false,
      session: { id: 'RES-1-2', amount: { value: 120 } },
    });
    expect(proxy.get('RES-1-1').state).toBe('lapsed');
    expect((await ensureCheckoutSession(proxy, BOOKING)).session).toMatchObject({
      id: 'RES-1-3',
      amount: { value: 100 },
    });
    expect(proxy.payable.map(({ id }) => id)).toEqual(['RES-1-3']);
  });

  it.each<[string, State, string]>([
    ['is being paid', 'pending', 'under_way'],
    ['is about to be paid', 'starting', 'under_way'],
    ['was paid', 'succeeded', 'succeeded'],
    ['is unknown', 'unknown', 'unknown'],
    ['ran out of time while it was being paid', 'expired', 'unknown'],
  ])('keeps the session of an earlier price that %s, and says so', async (_, state, outcome) => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state });
    expect(await ensureCheckoutSession(proxy, DEARER)).toMatchObject({
      outcome,
      isOutdated: true,
      session: { id: 'RES-1-1' },
      clientSecret: 'another secret of RES-1-1',
    });
    expect(proxy.sessions.size).toBe(1);
    const asBefore = { outcome: state === 'starting' ? 'open' : outcome, isOutdated: false };
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject(asBefore);
    expect(proxy.get('RES-1-1').state).toBe(state);
  });

  it.each<State>(['failed', 'canceled', 'lapsed'])('follows a session that is %s with another try', async (state) => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state, hasLink: true });
    const next = await ensureCheckoutSession(proxy, BOOKING);
    expect(next).toMatchObject({ outcome: 'open', session: { id: 'RES-1-2' } });
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({ session: next.session });
    expect(proxy.get('RES-1-1').hasLink && state !== 'lapsed').toBe(false);
  });

  it('looks once more before another try, since the guest may have paid after all', async () => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state: 'canceled' });
    proxy.paidAfterAll.add('RES-1-1');
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({
      outcome: 'succeeded',
      session: { id: 'RES-1-1' },
    });
    expect(proxy.sessions.size).toBe(1);
  });

  it.each<[State, string]>([
    ['pending', 'under_way'],
    ['succeeded', 'succeeded'],
    ['unknown', 'unknown'],
    ['expired', 'unknown'],
  ])('makes no other try while one of a payment link is %s', async (state, outcome) => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state: 'failed', hasLink: true });
    const { id } = proxy.follow('RES-1-1', state);
    for (const booking of [BOOKING, DEARER]) {
      expect(await ensureCheckoutSession(proxy, booking)).toMatchObject({ outcome, session: { id } });
    }
    expect(proxy.sessions.has('RES-1-2')).toBe(false);
  });

  it.each<State>(['open', 'failed'])(
    'ends the try of a payment link that is %s before it makes its own',
    async (state) => {
      const proxy = new FakeProxy();
      await ensureCheckoutSession(proxy, BOOKING);
      proxy.set('RES-1-1', { state: 'failed', hasLink: true });
      const linked = proxy.follow('RES-1-1', state);
      expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({
        outcome: 'open',
        session: { id: 'RES-1-2' },
      });
      expect(linked.state === 'open' || (linked.state === 'failed' && linked.hasLink)).toBe(false);
    },
  );

  it('ends later tries once an earlier one was paid after all', async () => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state: 'failed' });
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state: 'succeeded', late: true });
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({
      outcome: 'succeeded',
      session: { id: 'RES-1-1' },
    });
    expect(proxy.get('RES-1-2').state).toBe('lapsed');
  });

  it('says that a later try was paid rather than that an earlier one is unknown', async () => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-1', { state: 'failed' });
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.set('RES-1-2', { state: 'succeeded' });
    proxy.set('RES-1-1', { state: 'unknown' });
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({
      outcome: 'succeeded',
      session: { id: 'RES-1-2' },
    });
  });

  it.each(['create RES-1-1', 'expire RES-1-1', 'list RES-1-2', 'create RES-1-2'])(
    'goes on after a crash at “%s”, before it and after it',
    async (call) => {
      for (const isCarriedOut of [false, true]) {
        const proxy = new FakeProxy();
        await ensureCheckoutSession(proxy, BOOKING);
        proxy.before = async (each) => {
          if (each !== call) return;
          proxy.before = () => undefined;
          if (isCarriedOut) await ensureCheckoutSession(proxy, DEARER);
          throw new NetworkError('The network failed.');
        };
        await expect(ensureCheckoutSession(proxy, DEARER)).rejects.toMatchObject({ code: 'network' });
        expect(await ensureCheckoutSession(proxy, DEARER)).toMatchObject({
          outcome: 'open',
          session: { id: 'RES-1-2' },
        });
        expect(proxy.payable.map(({ id }) => id)).toEqual(['RES-1-2']);
      }
    },
  );

  it('keeps the guest who begins to pay between the reading and the end of the session', async () => {
    const proxy = new FakeProxy();
    await ensureCheckoutSession(proxy, BOOKING);
    proxy.before = (call) => {
      if (call === 'expire RES-1-1') proxy.set('RES-1-1', { state: 'pending' });
    };
    expect(await ensureCheckoutSession(proxy, DEARER)).toMatchObject({
      outcome: 'under_way',
      isOutdated: true,
      session: { id: 'RES-1-1', status: 'pending' },
    });
    expect(proxy.sessions.size).toBe(1);
  });

  it('never lets a booking be paid twice, whatever the order of servers, prices and guests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.infiniteStream(fc.nat(5)), async (scheduler, chance) => {
        const proxy = new FakeProxy();
        const pick = (): number => chance.next().value;
        proxy.before = async (call) => {
          await scheduler.schedule(Promise.resolve(), call);
          // Meanwhile guests begin to pay, and get on with it.
          for (const kept of proxy.sessions.values()) {
            const luck = pick();
            if (kept.state === 'open' && luck < 2) kept.state = 'starting';
            else if (kept.state === 'starting') kept.state = luck === 0 ? 'open' : 'pending';
            else if (kept.state === 'pending' && luck > 2) {
              kept.state = (['succeeded', 'failed', 'canceled'] as const)[luck - 3] ?? 'failed';
            }
          }
          expect(proxy.payable.length).toBeLessThanOrEqual(1);
        };
        const servers = [BOOKING, DEARER, BOOKING, { ...DEARER, description: 'Zwei Nächte' }].map(async (booking) => {
          const first = await ensureCheckoutSession(proxy, booking);
          return [first, await ensureCheckoutSession(proxy, booking)];
        });
        await scheduler.waitFor(Promise.all(servers));
        expect(proxy.payable.length).toBeLessThanOrEqual(1);
      }),
      { seed: 20260601, numRuns: 300 },
    );
  });

  it('stops after a hundred tries, and says so', async () => {
    const proxy = new FakeProxy();
    for (let attempt = 1; attempt <= 100; attempt++) {
      await ensureCheckoutSession(proxy, BOOKING);
      proxy.set(`RES-1-${attempt}`, { state: 'canceled' });
    }
    expect(await ensureCheckoutSession(proxy, BOOKING)).toMatchObject({
      outcome: 'too_many_tries',
      session: { id: 'RES-1-100' },
    });
    expect(proxy.sessions.size).toBe(100);
  });

  it.each([undefined, '', 'a b', 'ü', 'x'.repeat(241)])('refuses the key %j before any call', async (key) => {
    const proxy = new FakeProxy();
    await expect(ensureCheckoutSession(proxy, { ...BOOKING, key: key as string })).rejects.toMatchObject({
      code: 'invalid_input',
      path: 'key',
    });
    expect(proxy.log).toEqual([]);
  });

  it('passes on every other refusal', async () => {
    const proxy = new FakeProxy();
    proxy.before = () => {
      throw refusal('invalid_request', 'x');
    };
    await expect(ensureCheckoutSession(proxy, BOOKING)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
