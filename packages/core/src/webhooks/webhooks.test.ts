import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ANY_CHARACTER } from '../../test-support/any-character.ts';
import type { Charge } from '../contract/charge.ts';
import type { CheckoutSession } from '../contract/checkout-session.ts';
import { signWebhook, verifyWebhook } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
const EVENT = { id: 'ev_1', type: 'checkout.succeeded', timestamp: 'x', seq: 1, data: { object: { id: 'cs_1' } } };
const body = JSON.stringify(EVENT);
const timestamp = new Date('2026-06-01T10:00:00.900Z');
const now = () => new Date('2026-06-01T10:02:00Z');
const failed = expect.objectContaining({ code: 'webhook_verification_failed' });

function sign(overrides: Partial<Parameters<typeof signWebhook>[0]> = {}) {
  return signWebhook({ id: 'ev_1', timestamp, body, secret, ...overrides });
}

describe('signWebhook and verifyWebhook', () => {
  it('agree, and give an event whose type says what it is about', async () => {
    const event = await verifyWebhook(body, await sign(), secret, { now });
    expect(event).toEqual(EVENT);
    if (event.type === 'charge.declined') expectTypeOf(event.data.object).toEqualTypeOf<Charge>();
    if (event.type === 'checkout.succeeded') expectTypeOf(event.data.object).toEqualTypeOf<CheckoutSession>();
    expect(event.data.object.id).toBe('cs_1');
  });

  it('agree with the reference implementation, both ways and for any text', async () => {
    const reference = new Webhook(secret);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: ANY_CHARACTER }), async (note) => {
        const text = JSON.stringify({ id: 'ev_1', type: 't', data: { object: { note } } });
        const at = new Date();
        const headers = await signWebhook({ id: 'ev_1', timestamp: at, body: text, secret });
        expect(reference.verify(text, headers)).toEqual(JSON.parse(text));
        const theirs = {
          'webhook-id': 'ev_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': reference.sign('ev_1', at, text),
        };
        await expect(verifyWebhook(text, theirs, secret)).resolves.toEqual(JSON.parse(text));
      }),
      { seed: 20260601, numRuns: 50 },
    );
  });

  it('take bytes, Headers, and names in any case', async () => {
    const headers = await sign({ body: new TextEncoder().encode(body) });
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    await expect(
      verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now }),
    ).resolves.toBeDefined();
    await expect(verifyWebhook(body, shouted, secret, { now })).resolves.toBeDefined();
  });

  it('take headers as lists, as some servers give them', async () => {
    const headers = await sign({ secret: [other, secret] });
    const { 'webhook-signature': signatures = '' } = headers;
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    await expect(verifyWebhook(body, lists, secret, { now })).resolves.toMatchObject({ id: 'ev_1' });
    const apart = { ...lists, 'webhook-signature': signatures.split(' ') };
    await expect(verifyWebhook(body, apart, secret, { now })).resolves.toMatchObject({ id: 'ev_1' });
    for (const name of Object.keys(lists)) {
      await expect(verifyWebhook(body, { ...lists, [name]: [] }, secret, { now })).rejects.toEqual(failed);
    }
    await expect(verifyWebhook(body, { ...lists, 'webhook-id': ['ev_1', 'ev_1'] }, secret, { now })).rejects.toEqual(
      failed,
    );
  });

  it('take Headers of another realm', async () => {
    const headers = await sign();
    const foreign = { get: (name: string) => headers[name] ?? null } as unknown as Headers;
    await expect(verifyWebhook(body, foreign, secret, { now })).resolves.toMatchObject({ id: 'ev_1' });
  });

  it.each<[string, (headers: Record<string, string>) => Promise<unknown>]>([
    ['a parsed body', (headers) => verifyWebhook(JSON.parse(body), headers, secret, { now })],
    ['no body', (headers) => verifyWebhook(undefined as never, headers, secret, { now })],
    ['no headers', () => verifyWebhook(body, undefined as never, secret, { now })],
    ['no secret', (headers) => verifyWebhook(body, headers, undefined as never, { now })],
    ['a secret that is a number', (headers) => verifyWebhook(body, headers, [5] as never, { now })],
    ['a clock that is a number', (headers) => verifyWebhook(body, headers, secret, { now: 5 as never })],
    ['a clock without a time', (headers) => verifyWebhook(body, headers, secret, { now: () => new Date(Number.NaN) })],
    ['a tolerance of NaN', (headers) => verifyWebhook(body, headers, secret, { now, toleranceSeconds: Number.NaN })],
    ['an endless tolerance', (headers) => verifyWebhook(body, headers, secret, { now, toleranceSeconds: Infinity })],
    ['nothing to sign', () => signWebhook(undefined as never)],
    ['a time that is a number', () => sign({ timestamp: 5 as never })],
    ['a body to sign that is an object', () => sign({ body: {} as never })],
    ['no secret to sign with', () => sign({ secret: undefined as never })],
  ])('refuse %s as an argument', async (_, act) => {
    await expect(act(await sign())).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('allow for rotation on both sides', async () => {
    const rotating = await sign({ secret: [other, secret] });
    expect(rotating['webhook-signature']?.split(' ')).toHaveLength(2);
    await expect(verifyWebhook(body, rotating, secret, { now })).resolves.toBeDefined();
    await expect(verifyWebhook(body, await sign(), [other, secret], { now })).resolves.toBeDefined();
  });

  it('refuse another body, id, time or secret', async () => {
    const headers = await sign();
    await expect(verifyWebhook(`${body} `, headers, secret, { now })).rejects.toEqual(failed);
    for (const other of [{ 'webhook-id': 'ev_2' }, { 'webhook-timestamp': '1780308001' }])
      await expect(verifyWebhook(body, { ...headers, ...other }, secret, { now })).rejects.toEqual(failed);
    await expect(verifyWebhook(body, headers, other, { now })).rejects.toEqual(failed);
  });

  it.each(['', 'v1,', 'v1,AAAA', 'v1a,AAAA', 'v2,AAAA', 'nonsense', 'v1,***'])(
    'refuse the signature %j',
    async (signature) => {
      const headers = { ...(await sign()), 'webhook-signature': signature };
      await expect(verifyWebhook(body, headers, secret, { now })).rejects.toEqual(failed);
    },
  );

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuse a webhook without %s', async (name) => {
    const { [name]: _, ...headers } = await sign();
    await expect(verifyWebhook(body, headers, secret, { now })).rejects.toEqual(failed);
  });

  it('keep to the tolerance, both ways', async () => {
    const headers = await sign();
    const at = (seconds: number) => ({ now: () => new Date(Date.parse('2026-06-01T10:00:00Z') + seconds * 1000) });
    for (const seconds of [-300, 300])
      await expect(verifyWebhook(body, headers, secret, at(seconds))).resolves.toBeDefined();
    for (const seconds of [-301, 301])
      await expect(verifyWebhook(body, headers, secret, at(seconds))).rejects.toEqual(failed);
    await expect(verifyWebhook(body, headers, secret, { now: timestamp })).resolves.toBeDefined();
    await expect(verifyWebhook(body, headers, secret, { ...at(20), toleranceSeconds: 10 })).rejects.toEqual(failed);
  });

  it('refuse an authentic body that is no event', async () => {
    for (const text of ['nonsense', '[]', 'null', '"text"']) {
      await expect(verifyWebhook(text, await sign({ body: text }), secret, { now })).rejects.toEqual(failed);
    }
  });

  it('refuse secrets of the wrong form and ids with dots', async () => {
    const invalid = expect.objectContaining({ code: 'invalid_input' });
    await expect(sign({ secret: 'whsec_c2hvcnQ=' })).rejects.toEqual(invalid);
    await expect(sign({ secret: 'whsec_***' })).rejects.toEqual(invalid);
    await expect(sign({ secret: [] })).rejects.toEqual(invalid);
    await expect(sign({ id: 'ev.1' })).rejects.toEqual(invalid);
    await expect(verifyWebhook(body, await sign(), 'short', { now })).rejects.toEqual(invalid);
    await expect(verifyWebhook(body, await sign(), [], { now })).rejects.toEqual(invalid);
  });
});
