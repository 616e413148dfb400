import type { Checkout, CheckoutView } from '@innkeep/core/checkout';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setHidden } from '../../test-support/fixture.ts';
import { type PolledSession, PollingController } from './polling-controller.ts';

/** How often the proxy is asked while a watch runs. */
const EVERY_MS = 10_000;
/** Long enough for whatever goes on to show. */
const A_WHILE_MS = 2 * 60_000;

let polling: PollingController;
let polls: number;
let session: { checkout: CheckoutView | null; client: Checkout | undefined } & PolledSession;

function view(change: Partial<CheckoutView> = {}): CheckoutView {
  // Only what a plan reads.
  return { status: 'pending', nextPollMs: EVERY_MS, ...change } as CheckoutView;
}

/** A watch as core's: at once, then again and again until its signal says stop. */
async function* watch({
  signal,
}: {
  signal?: AbortSignal | undefined;
} = {}): AsyncGenerator<CheckoutView, void, undefined> {
  while (!signal?.aborted) {
    polls += 1;
    yield view();
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS);
      signal?.addEventListener('abort', resolve);
    });
  }
}

/** How often the proxy is asked in a while. */
async function pollsInAWhile(): Promise<number> {
  const before = polls;
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  return polls - before;
}

beforeEach(() => {
  vi.useFakeTimers();
  polls = 0;
  session = {
    client: { watch } as unknown as Checkout,
    checkout: view(),
    wake: vi.fn(() => polling.watchOn()),
    look: vi.fn(),
    take: vi.fn(),
    fail: vi.fn(),
  };
  polling = new PollingController({ addController: vi.fn(), requestUpdate: vi.fn() } as never, session);
  polling.hostConnected();
});
afterEach(() => {
  polling.hostDisconnected();
  polling.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a hidden page asks nobody', () => {
  test('that was watching', async () => {
    void polling.watch();
    expect(await pollsInAWhile()).toBe(A_WHILE_MS / EVERY_MS);
    setHidden(true);
    expect(await pollsInAWhile()).toBe(0);
  });

  test('that was opened in the background', async () => {
    setHidden(true);
    void polling.watch();
    expect(await pollsInAWhile()).toBe(0);
    expect(session.wake).not.toHaveBeenCalled();
  });

  test('whose guest leaves between an answer and the poll planned after it', async () => {
    polling.plan(EVERY_MS);
    setHidden(true);
    expect(await pollsInAWhile()).toBe(0);
  });

  test('whose answer comes when it is hidden already', async () => {
    setHidden(true);
    polling.plan(EVERY_MS);
    expect(await pollsInAWhile()).toBe(0);
  });

  test.each(['focus', 'pageshow', 'online', 'resume'])('that is woken by %s and stays hidden', async (type) => {
    setHidden(true);
    dispatchEvent(new Event(type));
    expect(session.wake).not.toHaveBeenCalled();
    expect(await pollsInAWhile()).toBe(0);
  });

  test('when the time to start is over', async () => {
    session.checkout = view({ status: 'open', expiresAt: new Date(Date.now() + 90_000).toISOString() });
    polling.plan(null);
    setHidden(true);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(session.look).not.toHaveBeenCalled();
  });
});

describe('a page that is shown', () => {
  test('again asks at once, and goes on', async () => {
    void polling.watch();
    await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
    setHidden(true);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    const before = polls;
    setHidden(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(polls).toBe(before + 1);
    expect(await pollsInAWhile()).toBe(A_WHILE_MS / EVERY_MS);
  });

  test.each(['pageshow', 'focus', 'online', 'resume', 'visibilitychange'])(
    'does not wait for the next poll of the watch that runs when %s wakes it',
    async (type) => {
      void polling.watch();
      await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
      expect(polls).toBe(1);
      dispatchEvent(new Event(type));
      await vi.advanceTimersByTimeAsync(0);
      expect(polls).toBe(2);
      // The watch before has ended: one of them goes on.
      expect(await pollsInAWhile()).toBe(A_WHILE_MS / EVERY_MS);
    },
  );

  test('asks once for all the events that come together', async () => {
    setHidden(true);
    setHidden(false);
    for (const type of ['focus', 'pageshow']) dispatchEvent(new Event(type));
    document.dispatchEvent(new Event('resume'));
    await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
    expect(session.wake).toHaveBeenCalledTimes(4);
    expect(polls).toBe(1);
  });
});

test('says what ended its watch, unless it has ended it itself', async () => {
  const refused = new Error('refused');
  async function* refuse(): AsyncGenerator<CheckoutView> {
    await new Promise((_, reject) => setTimeout(() => reject(refused), EVERY_MS));
  }
  session.client = { watch: refuse } as unknown as Checkout;
  void polling.watch();
  polling.stop();
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(session.fail).not.toHaveBeenCalled();
  void polling.watch();
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(session.fail).toHaveBeenCalledExactlyOnceWith(refused);
});

test('a page that goes offline does not ask, and asks when it is online again', async () => {
  dispatchEvent(new Event('offline'));
  expect(session.wake).not.toHaveBeenCalled();
  dispatchEvent(new Event('online'));
  expect(session.wake).toHaveBeenCalledOnce();
});
