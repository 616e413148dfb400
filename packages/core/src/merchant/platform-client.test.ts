import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type Answers, recordedFetch } from '../../test-support/recorded-fetch.ts';
import {
  createMerchantClient,
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from './index.ts';

const platformKey = 'pk_live_markermarkermarker';
const endpoint = 'https://pay.booking.example';

function platform(answers: Answers, options: Partial<PlatformClientOptions> = {}) {
  const { fetch, requests } = recordedFetch(endpoint, answers);
  const client = createPlatformClient({ endpoint, platformKey, maxNetworkRetries: 0, fetch, ...options });
  return { client, requests };
}

const ok = (): Response => Response.json({ object: 'property', id: 'aurora' });
const down = (): Response => new Response('', { status: 503, headers: { 'retry-after': '0' } });
const problem = (status: number, code: string): Response =>
  Response.json({ status, code, detail: `no ${platformKey}`, traceId: 't' }, { status });
const stretch = (positions: number[], nextAfter: number) => (): Response =>
  Response.json({ object: 'list', data: positions.map((position) => ({ position })), nextAfter });

describe('a merchant client with a platform key', () => {
  it('is refused before any request when it does not say for which hotel', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    const client = createMerchantClient({ endpoint, secretKey: platformKey, fetch });
    const refusal = { code: 'configuration', path: 'property' };
    await expect(client.charges.list()).rejects.toMatchObject(refusal);
    await expect(client.exports.csv({ from: '2026-03-01', to: '2026-04-01' })).rejects.toMatchObject(refusal);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each(['', 'Aurora', 'a/b', 'a\r\nb', 'x'.repeat(41), 7])('refuses the id %j', (property) => {
    const make = () => createMerchantClient({ endpoint, secretKey: platformKey, property: property as string });
    expect(make).toThrow(expect.objectContaining({ code: 'configuration', path: 'property' }));
  });
});

describe('the platform client', () => {
  const ANY = { ifMatch: '*' } as const;

  it.each([
    ['platformKey', { platformKey: '' }],
    ['platformKey', { platformKey: 'sk_live_x' }],
  ])('names the bad setting %s', (path, options) => {
    expect(() => platform([ok], options)).toThrow(expect.objectContaining({ code: 'configuration', path }));
    expect(() => createPlatformClient(undefined as never)).toThrow(expect.objectContaining({ code: 'configuration' }));
  });

  it('says nothing of the secrets of a hotel when what sends the request quotes it', async () => {
    const fetch = async (...call: Parameters<typeof globalThis.fetch>): Promise<never> => {
      throw new Error(`cannot send ${await new Request(...call).text()}`);
    };
    const body = {
      password: 'marker-1',
      previousPassword: 'marker-2',
      gateway: { apiKey: 'marker-3' },
      webhooks: [{ secret: 'marker-4' }, { secret: ['marker-5', 'marker-6'] }],
    };
    const { properties } = platform([], { fetch }).client;
    const error = await properties.put('aurora', body as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'network', cause: { message: expect.stringContaining('[redacted]') } });
    expect(inspect(error, { depth: 9 })).not.toMatch(/marker-/);
  });

  it.each<[string, string, string, string | null, (client: PlatformClient) => Promise<unknown>]>([
    ['GET', '/v1/properties?search=a&limit=5', '', null, (c) => c.properties.list({ search: 'a', limit: 5 })],
    ['GET', '/v1/properties/aurora', '', null, (c) => c.properties.retrieve('aurora')],
    ['PUT', '/v1/properties/aurora', '{}', null, (c) => c.properties.put('aurora', {} as never)],
    ['PUT', '/v1/properties/aurora', '{}', '"3"', (c) => c.properties.put('aurora', {} as never, { ifMatch: 3 })],
    ['PATCH', '/v1/properties/aurora', '{"user":"a"}', '*', (c) => c.properties.patch('aurora', { user: 'a' }, ANY)],
    ['DELETE', '/v1/properties/aurora', '', '"4"', (c) => c.properties.remove('aurora', { ifMatch: 4 })],
    ['GET', '/v1/properties/aurora/versions?limit=2', '', null, (c) => c.properties.versions('aurora', { limit: 2 })],
    ['POST', '/v1/properties/aurora/roll-back', '{"version":2}', '*', (c) => c.properties.rollBack('aurora', 2, ANY)],
    ['POST', '/v1/properties/aurora/reseal', '{}', null, (c) => c.properties.reseal('aurora')],
    ['GET', '/v1/platform/keys', '', null, (c) => c.keys.list()],
    ['GET', '/v1/platform/audit?person=emp-1', '', null, (c) => c.audit.list({ person: 'emp-1' })],
    ['GET', '/v1/platform/events?after=7&limit=3', '', null, (c) => c.events.list({ after: 7, limit: 3 })],
  ])('sends %s %s %s', async (method, path, body, ifMatch, run) => {
    const { client, requests } = platform([ok]);
    await run(client);
    expect(requests).toMatchObject([{ method, path, body }]);
    const names = ['authorization', 'if-match', 'innkeep-property'];
    const sent = names.map((name) => requests[0]?.headers.get(name));
    expect(sent).toEqual([`Bearer ${platformKey}`, ifMatch, null]);
  });

  it.each<[string, (client: PlatformClient) => Promise<unknown>]>([
    ['a patch without a version', (c) => c.properties.patch('aurora', {}, undefined as never)],
    ['a removal without a version', (c) => c.properties.remove('aurora', {} as never)],
    ['a version that is none', (c) => c.properties.put('aurora', {} as never, { ifMatch: -1 })],
    ['a body that is none', (c) => c.properties.put('aurora', undefined as never)],
    ['an id that is none', (c) => c.properties.retrieve('../charges')],
  ])('refuses %s before any request', async (_, run) => {
    const { client, requests } = platform([ok]);
    await expect(run(client)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(requests).toHaveLength(0);
  });

  it('repeats reads, and never a change', async () => {
    const read = platform([down, ok], { maxNetworkRetries: 2 });
    await read.client.properties.retrieve('aurora');
    expect(read.requests).toHaveLength(2);
    const changes = platform([down], { maxNetworkRetries: 2 });
    await expect(changes.client.properties.put('aurora', {} as never)).rejects.toMatchObject({ status: 503 });
    await expect(changes.client.properties.remove('aurora', { ifMatch: 1 })).rejects.toMatchObject({ status: 503 });
    expect(changes.requests).toHaveLength(2);
  });

  it.each<[string, (client: PlatformClient) => AsyncIterable<unknown>]>([
    ['properties', (c) => c.properties.list()],
    ['properties/aurora/versions', (c) => c.properties.versions('aurora')],
    ['platform/audit', (c) => c.audit.list()],
  ])('goes through %s page by page', async (path, list) => {
    const pages = [
      { data: [1, 2], nextCursor: 'x' },
      { data: [3], nextCursor: null },
    ];
    const { client, requests } = platform(pages.map((page) => () => Response.json(page)));
    const seen: unknown[] = [];
    for await (const each of list(client)) seen.push(each);
    expect(seen).toEqual([1, 2, 3]);
    expect(requests.map(({ path: asked }) => asked)).toEqual([`/v1/${path}`, `/v1/${path}?cursor=x`]);
  });

  it('makes a client for one of its hotels', async () => {
    const { client, requests } = platform([ok]);
    await client.forProperty('aurora').checkoutSessions.retrieve('cs_1');
    expect(requests[0]?.headers.get('innkeep-property')).toBe('aurora');
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${platformKey}`);
    expect(() => client.forProperty('Aurora')).toThrow(expect.objectContaining({ code: 'invalid_input', path: 'id' }));
  });
});

describe('following the events of a platform', () => {
  /** Positions that are yielded until the loop has seen `count` of them, and where each request began. */
  async function follow(
    answers: Answers,
    count: number,
    query: Parameters<PlatformClient['events']['follow']>[0] = {},
  ) {
    const { client, requests } = platform(answers);
    const positions: number[] = [];
    const controller = new AbortController();
    const options = { pollIntervalMs: 1, signal: controller.signal, ...query };
    for await (const { position } of client.events.follow(options)) {
      positions.push(position);
      if (positions.length === count) controller.abort();
    }
    return { positions, asked: requests.map(({ path }) => path.replace('/v1/platform/events?', '')) };
  }

  it('yields each once, in order, and asks again when nothing is new', async () => {
    const { positions, asked } = await follow(
      [stretch([1, 2], 2), stretch([], 2), stretch([], 9), stretch([10], 10)],
      3,
    );
    expect(positions).toEqual([1, 2, 10]);
    expect(asked).toEqual(['after=0&limit=100', 'after=2&limit=100', 'after=2&limit=100', 'after=9&limit=100']);
  });

  it('begins where the caller says', async () => {
    expect((await follow([stretch([42], 42)], 1, { after: 41, limit: 1 })).asked).toEqual(['after=41&limit=1']);
    await expect(follow([], 1, { after: -1 })).rejects.toMatchObject({ code: 'invalid_input', path: 'after' });
  });

  it.each([Number.NaN, 0, -1, '1000', null])('refuses an interval of %s', async (pollIntervalMs) => {
    const query = { pollIntervalMs: pollIntervalMs as never };
    await expect(follow([], 1, query)).rejects.toMatchObject({ path: 'pollIntervalMs' });
  });

  it('waits out what passes, and loses and repeats nothing', async () => {
    const lost = (): Response => {
      throw new TypeError('fetch failed');
    };
    const busy = (): Response => problem(429, 'rate_limited');
    const balancer = (): Response => new Response('<h1>Back soon</h1>', { headers: { 'content-type': 'text/html' } });
    const away = (): Response => Response.json({ message: 'Back soon' });
    const failures: unknown[] = [];
    const query = { onRetry: (error: unknown) => void failures.push(error) };
    const answers = [stretch([1], 1), lost, down, busy, balancer, away, stretch([2], 2)];
    const { positions, asked } = await follow(answers, 2, query);
    expect(positions).toEqual([1, 2]);
    const codes = ['network', 'upstream_status', 'rate_limited', 'invalid_response', 'invalid_response'];
    expect(failures).toMatchObject(codes.map((code) => ({ code })));
    expect(asked.slice(1)).toEqual(Array(6).fill('after=1&limit=100'));
  });

  it.each(['<!doctype html>', '{"ok":true}'])('throws when its first answer is no feed: %s', async (text) => {
    // Its address may be wrong.
    await expect(follow([() => new Response(text)], 1)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('throws when the feed was set back behind the position, at the start or later', async () => {
    const setBack = { code: 'invalid_input', path: 'after', message: expect.stringMatching(/ends at 3,.* set back/) };
    await expect(follow([stretch([], 3)], 1, { after: 9 })).rejects.toMatchObject(setBack);
    await expect(follow([stretch([4], 4), stretch([], 3)], 2, { after: 2 })).rejects.toMatchObject(setBack);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('throws %i %s', async (status, code) => {
    await expect(follow([stretch([1], 1), () => problem(status, code)], 2)).rejects.toMatchObject({ code, status });
  });

  it('ends when it is aborted, before, while it waits, and while it asks', async () => {
    const before = platform([stretch([1], 1)]);
    for await (const _ of before.client.events.follow({ signal: AbortSignal.abort() })) throw new Error('not ended');
    expect(before.requests).toHaveLength(0);
    const controller = new AbortController();
    const waiting = platform([
      () => {
        queueMicrotask(() => controller.abort());
        return stretch([], 0)();
      },
    ]);
    for await (const _ of waiting.client.events.follow({ pollIntervalMs: 1e9, signal: controller.signal })) break;
    const asking = new AbortController();
    const hanging = platform([
      () => {
        queueMicrotask(() => asking.abort());
        return new Promise(() => undefined);
      },
    ]);
    for await (const _ of hanging.client.events.follow({ signal: asking.signal })) break;
    expect(hanging.requests).toHaveLength(1);
  });

  it('gives no further event of a page after it was aborted', async () => {
    expect((await follow([stretch([1, 2, 3], 3)], 1)).positions).toEqual([1]);
  });
});
