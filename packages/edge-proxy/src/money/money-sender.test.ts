import { beforeEach, expect, test, vi } from 'vitest';
import { AURORA, TEST_ENVIRONMENT } from '../../test-support/environment.ts';
import { FakeUpstream } from '../../test-support/fake-upstream.ts';
import { answerMoney } from '../../test-support/money.ts';
import { HOTEL, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { seal } from '../http/seal.ts';
import type { TokenAnswer } from '../upstream/access-token-object.ts';
import type { MoneyEvent } from './money-machine.ts';
import type { ChargeRecord, MoneyRecord } from './money-record.ts';
import { chargeTokenAad, MoneySender, type SenderHost } from './money-sender.ts';
import { CREATED_LIMIT_MS } from './money-timing.ts';
import { type MoneyChange, moneyTransition } from './money-transition.ts';

/** Every test has an hour of its own, so that no access token of the one before reaches it. */
let now = Date.parse('2026-03-01T12:00:00.000Z');
let upstream: FakeUpstream;

beforeEach(() => {
  now += 3_600_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  upstream = new FakeUpstream().install();
  answerMoney(upstream);
});

const PASSWORD = (JSON.parse(TEST_ENVIRONMENT.PROPERTY_AURORA) as { password: string }).password;

async function created(change: Partial<ChargeRecord> = {}): Promise<ChargeRecord> {
  const sealedToken = await seal('CARD-TOKEN', chargeTokenAad(NEW_CHARGE_RECORD), [PASSWORD]);
  return { ...NEW_CHARGE_RECORD, createdAt: now, sealedToken, ...change };
}

/** Sends a record. What happens is noted in order; `apply` changes the record as the object's own would. */
async function send(
  stored: MoneyRecord | undefined,
  {
    answer = { ok: true, token: 'access-token', expiresAt: now + 60_000 } as TokenAnswer,
    isOvertaken = false,
    hotel = {} as Partial<typeof AURORA>,
  } = {},
): Promise<{ steps: string[]; changes: [MoneyEvent, MoneyChange][] }> {
  let record = stored;
  const steps: string[] = [];
  const changes: [MoneyEvent, MoneyChange][] = [];
  const overridden = upstream.overrides.pay;
  upstream.overrides.pay = (seen) => {
    steps.push('pay');
    return overridden?.(seen);
  };
  const host = {
    bindings: {
      ...TEST_ENVIRONMENT,
      PROPERTY_AURORA: JSON.stringify({ ...AURORA, ...hotel }),
      ACCESS_TOKENS: { getByName: () => ({ getToken: async () => answer, noteReturnCode: async () => undefined }) },
    },
    store: {
      load: () => record,
      due: { clear: (kind: string) => steps.push(`clear ${kind}`) },
      // Later than it was asked for: whoever goes on without the disk's answer is seen.
      sync: async () => {
        await Promise.resolve();
        expect(record).toMatchObject({ state: 'sent' });
        if (record?.kind === 'charge') expect(record.sealedToken).toBeNull();
        steps.push('sync');
      },
    },
    apply: async (event: MoneyEvent, change: MoneyChange) => {
      steps.push(event);
      changes.push([event, change]);
      const next = record === undefined || isOvertaken ? undefined : moneyTransition(record, event, { now, ...change });
      record = next ?? record;
      return next;
    },
  };
  await new MoneySender(host as unknown as SenderHost).send();
  return { steps, changes };
}

test('a charge is on disk as sent, without its card token, before the call leaves', async () => {
  const { steps, changes } = await send(await created());
  expect(steps).toEqual(['handed_over', 'sync', 'pay', 'executed']);
  expect(changes[0]).toEqual(['handed_over', {}]);
  expect(changes[1]?.[1]).toMatchObject({ transactionId: 'PAY-1', error: null });
  expect(JSON.parse(upstream.last('pay').body)).toMatchObject({ tokenNo: 'CARD-TOKEN' });
});

test.each(['sent', 'unknown', 'succeeded', 'declined', 'failed'] as const)(
  'what is %s is not sent, and not planned to be',
  async (state) => {
    // Without an access token, a charge that was sent would be called failed.
    const { steps } = await send(await created({ state }), { answer: { ok: false, code: 'network' } });
    expect(steps).toEqual(['clear send']);
  },
);

test('what is no longer there is not sent', async () => {
  expect((await send(undefined)).steps).toEqual(['clear send']);
});

test('a charge that is no longer to be sent once it could be is not sent', async () => {
  expect((await send(await created(), { isOvertaken: true })).steps).toEqual(['handed_over']);
});

test.each([
  ['there is no access token', {}, { ok: false, code: 'authentication_failed' } as const, 'authentication_failed'],
  ['its hotel is no longer configured', { property: 'gone' }, undefined, 'configuration'],
  ['the configuration of its hotel is broken', { property: 'broken' }, undefined, 'configuration'],
  ['its card token is gone', { sealedToken: null }, undefined, 'abandoned'],
  ['its card token cannot be opened', { sealedToken: 'v1.nonsense' }, undefined, 'abandoned'],
  ['its card token was sealed for another charge', { id: 'ch_2' }, undefined, 'abandoned'],
])('nothing is called sent when %s', async (_when, change, answer, code) => {
  const { steps, changes } = await send(await created(change), { answer });
  expect(steps).toEqual(['not_executed']);
  expect(changes[0]?.[1].error).toMatchObject({ code });
});

test.each([
  ['is a minute old', -1],
  ['is of a clock that was set back since', 1],
])('a charge is sent until it %s, and no longer', async (_what, sign) => {
  const { steps } = await send(await created({ createdAt: now + sign * CREATED_LIMIT_MS }));
  expect(steps).toContain('pay');
  const late = await send(await created({ createdAt: now + sign * (CREATED_LIMIT_MS + 1) }));
  expect(late.steps).toEqual(['not_executed']);
  expect(late.changes[0]?.[1].error).toMatchObject({ code: 'abandoned' });
});

test('whoever asks while it is sent waits for the same call, and later for another', async () => {
  const load = vi.fn(() => undefined);
  const flush = vi.fn();
  const host = { store: { load, due: { clear: () => undefined } }, telemetry: { flush } };
  const sender = new MoneySender(host as unknown as SenderHost);
  expect(sender.isSending).toBe(false);
  const sent = [sender.send(), sender.send()];
  expect(sender.isSending).toBe(true);
  await Promise.all(sent);
  expect([sender.isSending, load.mock.calls.length, flush.mock.calls.length]).toEqual([false, 1, 1]);
  await sender.send();
  expect(load).toHaveBeenCalledTimes(2);
});

const ORIGINS = { origins: ['https://aurora.test'], deskOrigins: [] };

test.each([
  ['goes live', {}, { ...ORIGINS, livemode: true }, 'configuration'],
  ['leaves live mode', { livemode: true }, {}, 'configuration'],
  ['moves to another service', { hotel: { ...HOTEL, origin: 'https://left.test' } }, {}, 'untrusted_url'],
  ['changes its customer', { hotel: { ...HOTEL, customerId: 'T1' } }, {}, 'configuration'],
])('a charge whose hotel %s is never called sent', async (_what, change, hotel, code) => {
  const { steps, changes } = await send(await created(change), { hotel });
  expect(steps).toEqual(['not_executed']);
  expect(changes[0]?.[1].error).toMatchObject({ code, message: expect.stringMatching(/^Nothing was sent: /) });
});

test('a charge of a live hotel is sent with its live account', async () => {
  const { steps } = await send(await created({ livemode: true }), { hotel: { ...ORIGINS, livemode: true } });
  expect(steps).toEqual(['handed_over', 'sync', 'pay', 'executed']);
});

test.each([
  ['goes live', {}, { ...ORIGINS, livemode: true }, ['not_executed']],
  ['changes its customer', { hotel: { ...HOTEL, customerId: 'T1' } }, {}, ['handed_over', 'sync', 'executed']],
  ['stays', {}, {}, ['handed_over', 'sync', 'executed']],
])('a reversal is sent only with the account of its payment: its hotel %s', async (_what, change, hotel, expected) => {
  const { steps } = await send({ ...NEW_REVERSAL_RECORD, createdAt: now, ...change }, { hotel });
  expect([steps, upstream.count('reversal')]).toEqual([expected, Number(expected.includes('executed'))]);
});
