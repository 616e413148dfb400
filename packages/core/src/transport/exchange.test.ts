import { afterEach, describe, expect, it, vi } from 'vitest';
import { byteByByte } from '../../test-support/byte-by-byte.ts';
import { withoutPauses } from '../../test-support/without-pauses.ts';
import { type ExchangeResult, exchange, isSuccess } from './exchange.ts';

const request = { method: 'POST', url: 'https://pay.example/', headers: {}, body: '{}' } as const;

function run(fetch: (request: Request) => Promise<Response>, options: Partial<Parameters<typeof exchange>[1]> = {}) {
  return exchange(request, { fetch, timeoutMs: 1000, maxBytes: 100, ...options });
}

function failing(cause: unknown) {
  return run(async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause });
  });
}

const lost = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

describe('exchange', () => {
  const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
  it.each<[unknown, ExchangeResult['kind']]>([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].map((code): [unknown, 'not_sent'] => [
      { code },
      'not_sent',
    ]),
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'not_sent'],
    [{ code: 'EHOSTUNREACH', syscall: 'read' }, 'connection_lost'],
    [{ code: 'ETIMEDOUT', syscall: 'read' }, 'connection_lost'],
    // Several attempts to connect, each of which must have failed to.
    [{ code: 'ECONNREFUSED', errors: [refused, refused] }, 'not_sent'],
    [{ code: 'ECONNREFUSED', errors: [refused, { code: 'ECONNRESET' }] }, 'connection_lost'],
    [{ code: 'ECONNRESET' }, 'connection_lost'],
    [{ code: 'UND_ERR_SOCKET' }, 'connection_lost'],
    [{ code: 'EPIPE' }, 'connection_lost'],
    [{ syscall: 'connect' }, 'connection_lost'],
    [{ errors: [] }, 'connection_lost'],
    [{}, 'connection_lost'],
    [undefined, 'connection_lost'],
    ['ECONNREFUSED', 'connection_lost'],
  ])('takes %j for proof that nothing was sent, or not: %s', async (cause, kind) => {
    expect(await failing(cause)).toMatchObject({ kind });
  });

  it('knows that what cannot be a request was not sent', async () => {
    const fetch = vi.fn(async () => new Response());
    const bad = { ...request, headers: { authorization: 'Bearer line\nbreak' } };
    expect(await exchange(bad, { fetch, timeoutMs: 1000, maxBytes: 100 })).toMatchObject({ kind: 'not_sent' });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('does not take a very long time limit for none at all', async () => {
    const slow = (): Promise<Response> => new Promise((resolve) => setTimeout(() => resolve(new Response('x')), 20));
    expect(await run(slow, { timeoutMs: 1e12 })).toMatchObject({ kind: 'reply' });
  });

  it('hears an abort while a body comes', async () => {
    const controller = new AbortController();
    const silent = new ReadableStream(
      {
        pull() {
          controller.abort();
          return new Promise(() => undefined);
        },
      },
      // Not asked for anything before somebody reads.
      { highWaterMark: 0 },
    );
    expect(await run(async () => new Response(silent), { signal: controller.signal })).toEqual({ kind: 'aborted' });
  });

  it('puts the pieces of a body together', async () => {
    const pieces = ['{"a":', '1', '}'].map((piece) => new TextEncoder().encode(piece));
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    const result = await run(async () => new Response(body));
    expect(new TextDecoder().decode((result as { bytes: Uint8Array }).bytes)).toBe('{"a":1}');
  });

  it('keeps no memory that a piece of a body does not fill', async () => {
    const result = await run(async () => new Response(byteByByte('{"a":1}')));
    expect(new TextDecoder().decode((result as { bytes: Uint8Array }).bytes)).toBe('{"a":1}');
  });

  it('leaves no timer behind that would keep a program from ending', async () => {
    vi.useFakeTimers();
    try {
      await run(async () => new Response('x'), { timeoutMs: 60_000 });
      expect(vi.getTimerCount()).toBe(0);
      const repeated = run(lost, { timeoutMs: 60_000, retries: 1, onResult: () => true });
      await vi.advanceTimersByTimeAsync(1000);
      await repeated;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('takes status %i for success: %s', (status, expected) => {
    expect(isSuccess(status)).toBe(expected);
  });

  it('reads up to the size cap and not one byte more', async () => {
    const whole = await run(async () => new Response('x'.repeat(100)));
    expect(whole).toMatchObject({ kind: 'reply', bytes: { length: 100 } });
    let canceled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(60)),
      cancel: () => {
        canceled = true;
      },
    });
    expect(await run(async () => new Response(endless))).toMatchObject({ kind: 'too_large', status: 200 });
    expect(canceled).toBe(true);
  });

  it('reads no body that nobody wants', async () => {
    const failure = await run(async () => new Response('x'.repeat(1000), { status: 500 }));
    expect(failure).toMatchObject({ kind: 'reply', status: 500, bytes: { length: 0 } });
  });

  it('asks for no redirect to be followed, and calls an injected fetch without a receiver, as browsers demand', async () => {
    const fetch = vi.fn(async (_: Request) => new Response(''));
    await run(fetch);
    expect(fetch.mock.calls[0]?.[0].redirect).toBe('manual');
    expect(fetch.mock.contexts).toEqual([undefined]);
  });

  it('does not take an error of the same name for its own time limit', async () => {
    const error = new DOMException('The caller’s own fetch gave up.', 'TimeoutError');
    expect(await run(() => Promise.reject(error))).toEqual({ kind: 'connection_lost', cause: error });
  });

  it.each([undefined, 'text'])('takes it for a lost connection when a fetch returns %j', async (answer) => {
    expect(await run(async () => answer as unknown as Response)).toMatchObject({ kind: 'connection_lost' });
  });

  it.each([0, 1])('takes nothing that a fetch throws at once for proof, with %i retries', async (retries) => {
    const fetch = (): never => {
      throw new Error('after it was sent');
    };
    expect(await run(fetch, { retries })).toMatchObject({ kind: 'connection_lost' });
  });

  it('proves nothing by an error that comes after the headers', async () => {
    const body = new ReadableStream({
      pull: (controller) =>
        controller.error(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })),
    });
    expect(await run(async () => new Response(body))).toMatchObject({ kind: 'connection_lost' });
  });

  describe('that may be repeated', () => {
    const again = { retries: 2, onResult: ({ kind }: ExchangeResult) => kind !== 'reply' };

    afterEach(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });

    it('repeats what was lost or late, also in the body, each time with a new time limit', async () => {
      withoutPauses();
      const silent = (): ReadableStream => new ReadableStream({ pull: () => new Promise(() => undefined) });
      const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
      for (const [kinds, ...failures] of [
        ['connection_lost timed_out reply', lost, () => new Promise<Response>(() => undefined)],
        ['timed_out connection_lost reply', async () => new Response(silent()), async () => new Response(broken)],
      ] as const) {
        const seen: string[] = [];
        const answers = [...failures, async () => new Response('ok')];
        const result = await run(() => answers.shift()?.() ?? lost(), {
          ...again,
          timeoutMs: 50,
          onResult: ({ kind }) => {
            seen.push(kind);
            return kind !== 'reply';
          },
        });
        expect(result).toMatchObject({ kind: 'reply', bytes: { length: 2 } });
        expect(seen.join(' ')).toBe(kinds);
      }
    });

    it('sends the whole body and its length each time', async () => {
      withoutPauses();
      const sent: string[] = [];
      const fetch = async (each: Request): Promise<Response> => {
        sent.push(`${each.headers.get('content-length')} ${await each.text()}`);
        return sent.length < 3 ? lost() : new Response('');
      };
      await run(fetch, again);
      expect(sent).toEqual(['2 {}', '2 {}', '2 {}']);
    });

    it('waits longer each time, but never the whole pause of the others', async () => {
      vi.useFakeTimers();
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      const sentAt: number[] = [];
      const startedAt = Date.now();
      const fetch = (): Promise<Response> => {
        sentAt.push(Date.now() - startedAt);
        return lost();
      };
      const result = run(fetch, { ...again, retries: 6, timeoutMs: 60_000 });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await result).toMatchObject({ kind: 'connection_lost' });
      // 300 ms, doubled each time up to 3 s, less a quarter by this chance.
      expect(sentAt).toEqual([0, 225, 675, 1575, 3375, 5625, 7875]);
    });

    it.each<[string, Record<string, string>, number, number]>([
      ['as long as it is told', { 'retry-after': '10' }, 10_000, 2],
      ['not at all when it is told so', { 'retry-after': '0' }, 0, 2],
      ['no longer than ten seconds', { 'retry-after': '11' }, 11_000, 1],
      ['its own pause when it is told none', {}, 225, 2],
    ])('waits %s', async (_, headers, pauseMs, requests) => {
      vi.useFakeTimers();
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      const fetch = vi.fn(async () => new Response('', { status: fetch.mock.calls.length === 1 ? 503 : 200, headers }));
      const onResult = (result: ExchangeResult): boolean => result.kind === 'reply' && result.status === 503;
      const result = run(fetch, { retries: 2, onResult });
      await vi.advanceTimersByTimeAsync(Math.max(0, pauseMs - 1));
      if (pauseMs > 0) expect(fetch).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(1);
      expect(await result).toMatchObject({ kind: 'reply', status: requests === 2 ? 200 : 503 });
      expect(fetch).toHaveBeenCalledTimes(requests);
    });

    it('stops when aborted in a pause', async () => {
      vi.useFakeTimers();
      const controller = new AbortController();
      const fetch = vi.fn(() => {
        setTimeout(() => controller.abort(), 20);
        return lost();
      });
      const result = run(fetch, { ...again, signal: controller.signal });
      await vi.advanceTimersByTimeAsync(5000);
      expect(await result).toEqual({ kind: 'aborted' });
      expect(fetch).toHaveBeenCalledOnce();
    });
  });
});
