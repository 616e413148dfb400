import { expect, it } from 'vitest';
import { DeclinedError, InvalidResponseError } from '../errors.ts';
import { type Failure, toError } from './to-error.ts';

const redact = (text: string): string => text.replaceAll('secret', '…');

const DOUBT = 'it may have been executed. Do not repeat it until you know.';
const UNAUTHORIZED: Failure = { evidence: 'unauthorized', status: 401 };
const IN_DOUBT: Failure = {
  evidence: 'declined_in_doubt',
  status: 200,
  cause: new DeclinedError('pay', '91', 'secret'),
};

it.each<[operation: string, code: Parameters<typeof toError>[0], Failure, message: string]>([
  ['login', 'authentication_failed', UNAUTHORIZED, 'The upstream refused the credentials with status 401.'],
  [
    'pay',
    'authentication_failed',
    UNAUTHORIZED,
    'pay was refused with status 401, even with a new access token. Nothing was executed.',
  ],
  ['pay', 'network', { evidence: 'not_sent' }, 'pay could not be sent: the connection failed.'],
  ['pay', 'network', { evidence: 'connection_lost' }, 'The connection was lost during pay.'],
  ['pay', 'timeout', { evidence: 'timed_out' }, 'pay was not answered in time.'],
  ['pay', 'upstream_status', { evidence: 'server_failed', status: 500 }, 'pay was answered with status 500.'],
  ['pay', 'outcome_unknown', { evidence: 'timed_out' }, `pay was not answered in time: ${DOUBT}`],
  ['pay', 'outcome_unknown', { evidence: 'aborted' }, `pay was aborted after it was sent: ${DOUBT}`],
  ['pay', 'outcome_unknown', { evidence: 'connection_lost' }, `pay has no usable answer (connection lost): ${DOUBT}`],
  ['pay', 'outcome_unknown', { evidence: 'server_failed', status: 500 }, `pay has no usable answer (500): ${DOUBT}`],
  ['pay', 'outcome_unknown', IN_DOUBT, `pay was answered with returnCode "91": ${DOUBT}`],
])('says in a sentence how %s failed: %s, %j', (operation, code, failure, message) => {
  expect(toError(code, failure, operation, redact)).toMatchObject({ code, message });
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
