import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOGIN_ANSWER, sampleOptions } from '../../test-support/fake-upstream.ts';
import { createContext } from '../context.ts';
import { Money } from '../values/money.ts';
import { pay } from './pay.ts';

const charge = { tokenNo: 'TK-1', amount: Money.ofMinor(12_000n, 'EUR') };

/** A service that answers calls with the first token so, and accepts those with a later one. */
function serviceThatRefuses(refusal: () => Response) {
  const tokens: (string | null)[] = [];
  let logins = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/login')) {
      logins += 1;
      return Response.json({ ...LOGIN_ANSWER, access_token: `token-${logins}` });
    }
    const token = request.headers.get('authorization');
    tokens.push(token);
    return token === 'Bearer token-1' ? refusal() : Response.json({ transactionID: 'T-2', returnCode: '0' });
  };
  return { context: createContext(sampleOptions({ fetch })), tokens };
}

const encoder = new TextEncoder();
/** A body that breaks off after these words. */
const broken = (words: string): ReadableStream =>
  new ReadableStream({
    start: (body) => body.enqueue(encoder.encode(words)),
    pull: (body) => body.error(new TypeError('terminated')),
  });
const LOST_BODIES: [string, () => BodyInit][] = [
  ['is longer than any answer', () => 'x'.repeat(70_000)],
  ['breaks off', () => broken('{"returnText":')],
];
const stalled = (words: string): ReadableStream =>
  new ReadableStream({ start: (body) => body.enqueue(encoder.encode(words)) });

afterEach(() => {
  vi.useRealTimers();
});

describe('a 401 or 403 whose body says nothing', () => {
  it.each(LOST_BODIES)('was not executed when it %s', async (_, body) => {
    const forbidding = serviceThatRefuses(() => new Response(body(), { status: 403 }));
    await expect(pay(forbidding.context, charge)).rejects.toMatchObject({ code: 'upstream_status', status: 403 });
    expect(forbidding.tokens).toHaveLength(1);

    const renewing = serviceThatRefuses(() => new Response(body(), { status: 401 }));
    await expect(pay(renewing.context, charge)).resolves.toMatchObject({ transactionID: 'T-2' });
    expect(renewing.tokens).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('is waited for a few seconds, not for the whole time limit', async () => {
    vi.useFakeTimers();
    const { context, tokens } = serviceThatRefuses(() => new Response(stalled('{"returnText":'), { status: 401 }));
    const paid = pay(context, charge);
    await vi.advanceTimersByTimeAsync(4999);
    expect(tokens).toEqual(['Bearer token-1']);
    await vi.advanceTimersByTimeAsync(1);
    await expect(paid).resolves.toMatchObject({ transactionID: 'T-2' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('was not executed, either, when the caller ends the waiting for it', async () => {
    const controller = new AbortController();
    const leaving = (): ReadableStream =>
      new ReadableStream(
        {
          pull: () => {
            controller.abort();
            return new Promise(() => undefined);
          },
        },
        { highWaterMark: 0 },
      );
    const { context } = serviceThatRefuses(() => new Response(leaving(), { status: 403 }));
    const paid = pay(context, charge, { signal: controller.signal });
    await expect(paid).rejects.toMatchObject({ code: 'upstream_status', status: 403 });
  });
});

describe('a 401 whose body leaves the outcome open', () => {
  it('is not sent again, and the next call has a new token', async () => {
    const { context, tokens } = serviceThatRefuses(() => Response.json({ returnCode: 0 }, { status: 401 }));
    await expect(pay(context, charge)).rejects.toMatchObject({ code: 'outcome_unknown', status: 401 });
    expect(tokens).toEqual(['Bearer token-1']);
    await expect(pay(context, charge)).resolves.toMatchObject({ transactionID: 'T-2' });
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it.each<[string, () => Response]>([
    [
      'an object within its body says 0',
      () => Response.json({ error: { message: 'Unauthorized', answer: { returnCode: '0' } } }, { status: 401 }),
    ],
    ['the rest of its body is lost', () => new Response(broken('{"transactionID":"T-1",'), { status: 401 })],
    ['the rest of its body does not come', () => new Response(stalled('{"returnCode":"0",'), { status: 401 })],
  ])('is not sent again when %s', async (_, refusal) => {
    vi.useFakeTimers();
    const { context, tokens } = serviceThatRefuses(refusal);
    const paid = expect(pay(context, charge)).rejects.toMatchObject({ code: 'outcome_unknown', status: 401 });
    await vi.advanceTimersByTimeAsync(5000);
    await paid;
    expect(tokens).toEqual(['Bearer token-1']);
  });

  it('stays open when no new token is given', async () => {
    const accessToken = vi.fn(async ({ rejected }: { rejected?: string }) => {
      if (rejected !== undefined) throw new Error('no login');
      return 'token-1';
    });
    const context = createContext(
      sampleOptions({
        credentials: undefined,
        accessToken,
        fetch: async () => Response.json({ transactionID: 'T-1' }, { status: 401 }),
      }),
    );
    const paid = pay(context, charge);
    await expect(paid).rejects.toMatchObject({ code: 'outcome_unknown', transactionId: 'T-1' });
    expect(accessToken.mock.calls).toEqual([[{}], [{ rejected: 'token-1' }]]);
  });
});
