import type { CallOptions, Context } from '../context.ts';
import { isInnkeepError, OutcomeUnknownError } from '../errors.ts';
import {
  checkRecord,
  type RecordDecision,
  type RecordExpectation,
  requireMaxSurcharge,
  showsMoney,
} from '../hosted/check-record.ts';
import type { HostedRequest } from '../hosted/hosted-request.ts';
import type { PaystatusInput } from '../operations/paystatus.ts';
import { transaction } from '../operations/transaction.ts';
import { poll } from '../polling/poll.ts';
import { isName } from '../schemas/text.ts';
import type { TransactionRecord } from '../schemas/transaction-record.ts';
import { requireObject } from '../values/check-text.ts';
import { reviveMoney } from '../values/wire-amount.ts';
import { delayAfterFailure, lookAgainMs, watch } from './watch.ts';

/** Settings of {@link waitForResult}. */
export interface WaitForResultOptions extends CallOptions {
  /** How long to wait, in milliseconds. @default 900_000 (15 minutes) */
  deadlineMs?: number | undefined;
  /** Largest surcharge to believe, in percent of what was asked: 0 to 100. @default 10 */
  maxSurchargePercent?: number | undefined;
}

/**
 * An init result, or what was stored of it: `request` is needed, because the record is compared with it. Its amount may be
 * money that was cloned, or the JSON form `{ value, currency }`.
 */
export type AwaitedInit = PaystatusInput & { request: HostedRequest };

/**
 * What became of a hosted request. `pending` means only that the time was up, and `error` that nothing shows a payment so
 * far: the specification does not say that the end of a request is for good, so look again before you ask for the money
 * in another way.
 */
export type HostedOutcome =
  | { outcome: 'paid'; transaction: TransactionRecord }
  | {
      outcome: 'tokenized';
      /** Stored-card token for `pay`. Keep it on the server. */
      token: string;
      /** Date; `''` when the record has none. */
      tokenValidUntil: string;
      /** The provider that `pay` needs for this token. */
      serviceProvider: string;
      transaction: TransactionRecord;
    }
  | { outcome: 'error'; errorText: string }
  | { outcome: 'pending' };

const DEFAULT_DEADLINE_MS = 15 * 60_000;
/** A record that contradicts the request is read once more after this pause: it may have been half written. */
const SECOND_LOOK_MS = 1000;

/**
 * Waits until a hosted request has ended, reads its record and compares it with what was asked. A record that shows
 * money outweighs a `state` 2.
 *
 * @throws `outcome_unknown` when the request is done, or shows money, but its record contradicts what was asked, or stays unreadable
 * until the deadline; `amount_unit_mismatch` when the contradiction is the currency's power of ten; `untrusted_url`,
 * `invalid_input`, `configuration`; the signal's reason when aborted
 */
export async function waitForResult(
  context: Context,
  init: AwaitedInit,
  { deadlineMs = DEFAULT_DEADLINE_MS, maxSurchargePercent, ...options }: WaitForResultOptions = {},
): Promise<HostedOutcome> {
  // Without the request there is nothing to compare the record with.
  const { amount, ...asked } = requireObject(requireObject(init, 'init').request, 'request');
  requireMaxSurcharge(maxSurchargePercent);
  const request: HostedRequest = amount === undefined ? asked : { ...asked, amount: reviveMoney(amount) };
  const endsAt = context.now().getTime() + deadlineMs;
  for await (const status of watch(context, init, { ...options, deadlineMs })) {
    if (status.state === 'pending') continue;
    // A stored init may have a blank id, which names nothing.
    const serviceProvider = isName(init.serviceProvider) ? init.serviceProvider : context.providers.hosted;
    const leftMs = (): number => Math.max(0, endsAt - context.now().getTime());
    if (status.state === 'error') {
      const found = await hasMoney(context, { ...init, serviceProvider }, { ...options, deadlineMs: leftMs() });
      if (found === undefined) break;
      if (!found) return { outcome: 'error', errorText: status.errorText };
    }
    // Unchanged: the record must name the same thing, and a token is not the payment with the same number.
    const objectID = status.state === 'done' ? status.objectID && String(status.raw.result) : undefined;
    const expected = { ...request, requestID: init.requestID, objectID, maxSurchargePercent };
    return readResult(context, { ...init, serviceProvider, request }, { ...options, expected, deadlineMs: leftMs() });
  }
  return { outcome: 'pending' };
}

/** One read of the record of a request that ended with an error; undefined when the time is up before it is there. */
async function hasMoney(
  context: Context,
  { requestID, serviceProvider }: AwaitedInit,
  { deadlineMs, ...options }: CallOptions & { deadlineMs: number },
): Promise<boolean | undefined> {
  const looks = poll((signal) => transaction(context, { requestID, serviceProvider }, { ...options, signal }), {
    isFinal: () => true,
    schedule: lookAgainMs,
    signal: options.signal,
    deadlineMs,
  });
  try {
    for await (const record of looks) return showsMoney(record);
  } catch (error) {
    // A failed read does not delay the error.
    if (!isInnkeepError(error)) throw error;
    return false;
  }
  return undefined;
}

async function readResult(
  context: Context,
  init: AwaitedInit,
  { expected, deadlineMs, ...options }: CallOptions & { expected: RecordExpectation; deadlineMs: number },
): Promise<HostedOutcome> {
  const { operation } = expected;
  let last: { record: TransactionRecord; decision: RecordDecision } | undefined;
  let unreadable: unknown;
  let contradictions = 0;
  const looks = poll(
    async (stop) => {
      const record = await transaction(context, init, { ...options, signal: stop });
      return { record, decision: checkRecord(expected, record) };
    },
    {
      isFinal: ({ decision }) =>
        decision.decision === 'consistent' || (decision.decision === 'contradiction' && contradictions > 1),
      schedule: (attempt) => (contradictions > 0 ? SECOND_LOOK_MS : lookAgainMs(attempt)),
      onFailure: (error, failures) => {
        if (isInnkeepError(error, 'amount_unit_mismatch')) return undefined;
        unreadable = error;
        return delayAfterFailure(error, failures);
      },
      signal: options.signal,
      deadlineMs,
    },
  );
  for await (const look of looks) {
    last = look;
    contradictions = look.decision.decision === 'contradiction' ? contradictions + 1 : 0;
  }
  if (last === undefined && unreadable !== undefined) {
    const message = `${operation} is done, but its record cannot be read.`;
    throw new OutcomeUnknownError(operation, message, { cause: unreadable });
  }
  if (last === undefined || last.decision.decision === 'not_ready') return { outcome: 'pending' };
  const { record, decision } = last;
  if (decision.decision === 'contradiction') {
    const { field: path } = decision;
    const message = `${operation} is done, but its record contradicts the request in "${path}".`;
    throw new OutcomeUnknownError(operation, message, { path });
  }
  if (decision.token === undefined) return { outcome: 'paid', transaction: record };
  return {
    outcome: 'tokenized',
    token: decision.token,
    tokenValidUntil: record.tokenValidUntil ?? '',
    serviceProvider: [record.serviceProvider, init.serviceProvider].find(isName) ?? context.providers.hosted,
    transaction: record,
  };
}
