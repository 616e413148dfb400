import {
  type Charge,
  ChargeSchema,
  type CheckoutSession,
  CheckoutSessionSchema,
  EventSchema,
  type WebhookEvent,
} from '@innkeep/core/contract';
import { describe, expect, it } from 'vitest';
import { example } from '../../test-support/example.ts';
import { fakeIo } from '../../test-support/fake-io.ts';
import { eventLine } from '../dev/event-line.ts';
import { run } from '../program/run.ts';

const ENV = { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_1' };
const ID = 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E' as const;

const ASKED = example(ChargeSchema, { amount: { value: 6_618, currency: 'EUR' } });

const FOUND = {
  status: 'succeeded',
  evidence: 'Portal, 21 Nov',
  transactionId: 'P-77',
  by: { key: 'office', person: 'emp-43', via: 'header' },
  at: '2026-09-02T08:00:00.000Z',
} as const;

/** What the command writes about a charge or a session. */
async function written(words: readonly string[], shown: Charge | CheckoutSession): Promise<string> {
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const { pathname } = new URL(new Request(input).url);
    const isList = ['/v1/charges', '/v1/checkout-sessions'].includes(pathname);
    return Response.json(isList ? { object: 'list', data: [shown], nextCursor: null } : shown);
  };
  const io = fakeIo({ cwd: '/', env: ENV, fetch });
  expect([await run(words, io), io.stderr()]).toEqual([0, '']);
  return io.stdout();
}

describe('a charge of which a person found that another amount was taken', () => {
  const other = { value: 6_619, currency: 'EUR' };
  const charge = { ...ASKED, resolution: { ...FOUND, amount: other } };

  it.each([
    ['get', ['charge', 'get', ID]],
    ['resolve', ['charge', 'resolve', ID, '--status', 'succeeded', '--evidence', 'x', '--amount', '66.19', 'EUR']],
  ])('is shown with both, and with what was found: %s', async (_name, words) => {
    const text = await written(words, charge);
    expect(text).toMatch(/^Amount +66\.18 EUR\nCharged +66\.19 EUR$/m);
    expect(text).toMatch(/^Resolved +succeeded by emp-43 \(office\): Portal, 21 Nov$/m);
  });

  it('is listed with what was taken', async () => {
    const text = await written(['charge', 'list'], charge);
    expect(text).toContain('66.19 EUR');
    expect(text).not.toContain('66.18');
  });

  it('is heard of with what was taken', () => {
    const event = example(EventSchema, { data: { object: charge } }) as WebhookEvent;
    expect(eventLine(event)).toContain('66.19 EUR');
  });
});

describe('a session whose guest paid another amount than was asked for', () => {
  const paid = example(CheckoutSessionSchema);
  const session = { ...paid, amount: { value: 6_618, currency: 'EUR' } };

  it('is listed with what was charged', async () => {
    const text = await written(['session', 'list'], session);
    expect(text).toContain('121.80 EUR');
    expect(text).not.toContain('66.18');
  });

  it('is heard of with what was charged', () => {
    const event = example(EventSchema, { type: 'checkout.succeeded', data: { object: session } }) as WebhookEvent;
    expect(eventLine(event)).toContain('121.80 EUR');
  });

  it('is listed with what was asked for until it is paid', async () => {
    expect(await written(['session', 'list'], { ...session, result: null })).toContain('66.18 EUR');
  });
});

describe('a charge that took what was asked', () => {
  it.each([
    ['without a resolution', ASKED, false],
    ['with one that names no amount', { ...ASKED, resolution: FOUND }, true],
  ])('has one amount: %s', async (_name, charge: Charge, isResolved) => {
    const text = await written(['charge', 'get', ID], charge);
    expect(text).toMatch(/^Amount +66\.18 EUR$/m);
    expect(text).not.toContain('Charged');
    expect(text.includes('Resolved')).toBe(isResolved);
  });
});

describe('an option that took the next one for its value, as with an empty variable without quotes', () => {
  const create = ['charge', 'create', '--amount', '1.00', 'EUR', '--reference', 'R-1', '--reason', 'no_show'];

  it.each([
    ['--note', [...create, '--from-session', 'cs_1', '--note', '--idempotency-key=RES-1']],
    ['--idempotency-key', [...create, '--from-session', 'cs_1', '--idempotency-key', '--allow-duplicate']],
    ['--reference', ['charge', 'list', '--status', 'unknown', '--reference', '--all']],
    [
      '--metadata',
      [
        'session',
        'create',
        '--amount',
        '1.00',
        'EUR',
        '--reference',
        'R-1',
        '--metadata',
        'a=b',
        '--metadata',
        '--idempotency-key=RES-1',
      ],
    ],
  ])('sends nothing: %s', async (option, words) => {
    const io = fakeIo({ cwd: '/', env: ENV, fetch: () => Promise.reject(new Error('sent')) });
    expect(await run(words, io)).toBe(2);
    expect(io.stderr()).toContain(`${option}: “--`);
    expect(io.stderr()).not.toContain('RES-1');
  });

  it('is none where the words only begin like one', async () => {
    const words = ['charge', 'resolve', ID, '--status', 'failed', '--evidence', '--status is failed in the portal'];
    expect(await written(words, ASKED)).toContain(ID);
  });
});
