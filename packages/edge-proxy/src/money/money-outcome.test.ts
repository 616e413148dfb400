import {
  AuthenticationError,
  ConfigurationError,
  DeclinedError,
  GatewayStatusError,
  InnkeepError,
  InvalidInputError,
  NetworkError,
  OutcomeUnknownError,
  UpstreamStatusError,
} from '@innkeep/core/errors';
import { expect, test } from 'vitest';
import { ABANDONED, classifyMoneyError, NO_CLEAR_ANSWER, noAccessToken } from './money-outcome.ts';

test.each([
  ['401 twice', new AuthenticationError('no'), 'authentication_failed'],
  ['403', new UpstreamStatusError('no', 403), 'upstream_status'],
  ['an access token’s object that failed', new InnkeepError('internal', 'no'), 'internal'],
  ['a connect failure that the runtime names', new NetworkError('no'), 'network'],
  ['our own validation', new InvalidInputError('amount', 'no'), 'invalid_input'],
  ['our own settings', new ConfigurationError('baseUrl', 'no'), 'configuration'],
])('%s proves that nothing was executed', (_what, error, code) => {
  expect(classifyMoneyError(error)).toMatchObject({ event: 'not_executed', error: { code } });
});

test.each([
  ['core’s own doubt', new OutcomeUnknownError('pay', 'no', { status: 500 })],
  ['a lost connection', new TypeError('Network connection lost.')],
  ['the time limit', new DOMException('late', 'TimeoutError')],
  ['an abort', new DOMException('gone', 'AbortError')],
  ['a code that nobody has thought of', new InnkeepError('brand_new', 'no')],
  ['another kind of error', new GatewayStatusError('no', 500)],
  ['a fault of our own', new RangeError('bug')],
  ['a text', 'oops'],
  ['nothing', undefined],
])('%s leaves it unknown', (_what, error) => {
  expect(classifyMoneyError(error)).toMatchObject({ event: 'no_clear_answer', error: { code: 'outcome_unknown' } });
});

test('a returnCode is a decline and is told', () => {
  expect(classifyMoneyError(new DeclinedError('pay', '51', 'no money'))).toEqual({
    event: 'declined',
    error: { code: 'declined', message: 'Declined: no money', returnCode: '51' },
  });
  expect(classifyMoneyError(new DeclinedError('pay', '7')).error).toMatchObject({ returnCode: '7' });
});

test('a code that leaves it open is unknown, and is told with the transaction that it names', () => {
  const details = { status: 200, returnCode: '96', transactionId: 'T-1' };
  expect(classifyMoneyError(new OutcomeUnknownError('reversal', 'no', details))).toEqual({
    event: 'no_clear_answer',
    error: {
      code: 'outcome_unknown',
      message: expect.stringMatching(/code 96 and named the transaction T-1: money may have moved/),
      returnCode: '96',
    },
  });
});

test('an answer that does not fit is told with its field and the transaction that it names', () => {
  const answered = (details: object) => classifyMoneyError(new OutcomeUnknownError('pay', 'no', details)).error.message;
  expect(answered({ status: 200, path: 'amount', transactionId: 'T-1' })).toMatch(
    /^The payment service’s answer has a missing or wrong “amount” and named the transaction T-1: money may have moved/,
  );
  expect(answered({ status: 200, path: 'returnCode' })).toMatch(/wrong “returnCode”: money may have moved/);
  expect(answered({ status: 200, path: '', transactionId: 'T-1' })).toMatch(
    /^The payment service gave no clear answer and named the transaction T-1: money may have moved/,
  );
});

test('without an access token nothing was sent, and the reason is kept', () => {
  expect(noAccessToken('timeout')).toMatchObject({ event: 'not_executed', error: { code: 'timeout' } });
});

test('what the service did not say is not made up', () => {
  expect(classifyMoneyError(new DeclinedError('pay', '7')).error.message).toBe('The payment service declined');
  const { message } = classifyMoneyError(new OutcomeUnknownError('pay', 'no', { status: 200, returnCode: '68' })).error;
  expect(message).toMatch(/answered with code 68: money may have moved/);
  expect(classifyMoneyError(new OutcomeUnknownError('pay', 'no', { status: 500 }))).toBe(NO_CLEAR_ANSWER);
});

test('what was interrupted before it could be sent did not happen', () => {
  expect(ABANDONED).toMatchObject({ event: 'not_executed', error: { code: 'abandoned' } });
});
