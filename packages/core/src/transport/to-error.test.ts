import { expect, it } from 'vitest';
import { DeclinedError, InvalidResponseError } from '../errors.ts';
import { type Failure, toError } from './to-error.ts';

const redact = (text: string): string => text.replaceAll('secret', '…');

function told(code: Parameters<typeof toError>[0], failure: Failure, operation = 'pay'): unknown[] {
  const error = toError(code, failure, operation, redact) as Error & { code: string };
  return [error.code, error.message];
}

it.each([
  ['login', 'The upstream refused the credentials with status 401.'],
  ['pay', 'pay was refused with status 401, even with a new access token. Nothing was executed.'],
])('says of a refused %s what was refused', (operation, message) => {
  expect(told('authentication_failed', { evidence: 'unauthorized', status: 401 }, operation)).toEqual([
    'authentication_failed',
    message,
  ]);
});

it.each([
  ['not_sent', 'pay could not be sent: the connection failed.'],
  ['connection_lost', 'The connection was lost during pay.'],
] as const)('says of a connection that was %s how far it came', (evidence, message) => {
  expect(told('network', { evidence })).toEqual(['network', message]);
});

it('says of a late answer that it was late, and of a status which', () => {
  expect(told('timeout', { evidence: 'timed_out' })).toEqual(['timeout', 'pay was not answered in time.']);
  expect(told('upstream_status', { evidence: 'server_failed', status: 500 })).toEqual([
    'upstream_status',
    'pay was answered with status 500.',
  ]);
});

it.each([
  [{ evidence: 'timed_out' }, 'was not answered in time'],
  [{ evidence: 'aborted' }, 'was aborted after it was sent'],
  [{ evidence: 'connection_lost' }, 'has no usable answer (connection lost)'],
  [{ evidence: 'server_failed', status: 500 }, 'has no usable answer (500)'],
  [
    { evidence: 'declined_in_doubt', status: 200, cause: new DeclinedError('pay', '91', 'secret') },
    'was answered with returnCode "91"',
  ],
] as const)('says of an unknown outcome %j why', (failure, reason) => {
  expect(told('outcome_unknown', failure)).toEqual([
    'outcome_unknown',
    `pay ${reason}: it may have been executed. Do not repeat it until you know.`,
  ]);
});

it('keeps what an unclear answer said, blanked', () => {
  const cause = new DeclinedError('pay', '91', 'a secret text');
  const failure: Failure = { evidence: 'declined_in_doubt', status: 200, transactionId: 'T-secret', cause };
  expect(toError('outcome_unknown', failure, 'pay', redact)).toMatchObject({
    status: 200,
    returnCode: '91',
    returnText: 'a … text',
    transactionId: 'T-…',
    cause: { code: 'declined', returnText: 'a … text' },
  });
  const unreadable = new InvalidResponseError('amount', 'no');
  expect(toError('outcome_unknown', { evidence: 'unreadable', cause: unreadable }, 'pay', redact)).toMatchObject({
    path: 'amount',
    transactionId: undefined,
    cause: unreadable,
  });
});

it('says a decline without a text as it came', () => {
  const cause = new DeclinedError('pay', '5');
  expect(toError('declined', { evidence: 'declined', cause }, 'pay', redact)).toMatchObject({
    returnCode: '5',
    returnText: undefined,
  });
});

it('blanks what a runtime threw, leaves an abort’s reason alone, and has no cause where there is none', () => {
  const thrown = Object.assign(new TypeError('secret'), { request: 'secret' });
  const lost = toError('network', { evidence: 'connection_lost', cause: thrown }, 'pay', redact) as Error;
  expect([(lost.cause as Error).message, lost.cause === thrown]).toEqual(['…', false]);
  const reason = { why: 'secret' };
  const aborted = toError('outcome_unknown', { evidence: 'aborted', cause: reason }, 'pay', redact) as Error;
  expect(aborted.cause).toBe(reason);
  expect(toError('network', { evidence: 'connection_lost' }, 'pay', redact)).not.toHaveProperty('cause');
});
