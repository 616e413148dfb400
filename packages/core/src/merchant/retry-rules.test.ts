import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, recordedFetch } from '../../test-support/recorded-fetch.ts';
import { withoutPauses } from '../../test-support/without-pauses.ts';
import { createMerchantClient } from './index.ts';

const secretKey = 'sk_live_markermarkermarker';
const charge = { token: 'TK', amount: { value: 1, currency: 'EUR' }, reference: 'R', reason: 'deposit' } as const;
const key = { idempotencyKey: 'RES-1-deposit' };

function problem(status: number, code: string, about: { param?: string; wait?: string } = {}): () => Response {
  const { param, wait = '0' } = about;
  return () => Response.json({ code, detail: `no ${secretKey}`, param }, { status, headers: { 'retry-after': wait } });
}

function merchant(...answers: Answers) {
  const { fetch } = recordedFetch('https://pay.hotel.example', answers);
  return createMerchantClient({ endpoint: 'https://pay.hotel.example', secretKey, fetch, timeoutMs: 50 });
}

const lost = (): Response => {
  throw new TypeError('fetch failed');
};
const silent = (): Promise<Response> => new Promise(() => undefined);
const unavailable = problem(503, 'property_unavailable', { wait: '60' });
const broken = (): Response => new Response('', { status: 502, headers: { 'retry-after': '0' } });
const inProgress = problem(409, 'idempotency_in_progress');

beforeEach(withoutPauses);
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a refusal of a repeated call', () => {
  it.each<[string, () => Response | Promise<Response>, object]>([
    ['was lost', lost, { code: 'network' }],
    ['was not answered', silent, { code: 'timeout' }],
    ['failed in the proxy', problem(500, 'internal'), { code: 'internal', status: 500 }],
    ['was answered by something else', broken, { code: 'upstream_status', status: 502 }],
    ['was still under way', inProgress, { code: 'idempotency_in_progress' }],
  ])('does not hide that the try before it %s', async (_, first, failure) => {
    const cause = { name: 'MerchantError', code: 'property_unavailable', status: 503, retryAfterSeconds: 60 };
    const calls = [
      () => merchant(first, unavailable).charges.create(charge, key),
      () => merchant(first, unavailable).reversals.create({ payment: 'ch_1' }, key),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ ...failure, cause });
      expect(JSON.stringify(error)).not.toContain('property_unavailable');
    }
  });

  it.each([
    [401, 'unauthorized', undefined],
    [403, 'forbidden', undefined],
    [404, 'not_found', 'Innkeep-Property'],
    [429, 'rate_limited', undefined],
    [503, 'upstream_unavailable', undefined],
  ])('says nothing of a lost try: %i %s', async (status, code, param) => {
    const { charges } = merchant(
      lost,
      problem(503, code),
      problem(status, code, { wait: '60', ...(param && { param }) }),
    );
    await expect(charges.create(charge, key)).rejects.toMatchObject({ code: 'network', cause: { code, status } });
  });

  it.each([
    [400, 'invalid_request', 'amount'],
    [403, 'limit_reached', 'amount'],
    [404, 'not_found', 'card'],
    [409, 'possible_duplicate', undefined],
    [422, 'idempotency_mismatch', undefined],
  ])('that knows the key stands: %i %s', async (status, code, param) => {
    const { charges } = merchant(lost, problem(status, code, param === undefined ? {} : { param }));
    await expect(charges.create(charge, key)).rejects.toMatchObject({ name: 'MerchantError', code, status });
  });

  it('stands when no try before it can have done anything, and when nothing is changed', async () => {
    const refused = { name: 'MerchantError', code: 'unauthorized' };
    const unauthorized = problem(401, 'unauthorized');
    for (const first of [problem(503, 'upstream_unavailable'), problem(429, 'rate_limited')]) {
      await expect(merchant(first, unauthorized).charges.create(charge, key)).rejects.toMatchObject(refused);
    }
    await expect(merchant(lost, unauthorized).charges.retrieve('ch_1')).rejects.toMatchObject(refused);
  });
});
