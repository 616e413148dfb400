// Core against the sandbox: every operation under every scenario. Whatever the scenario does, core must say what the
// sandbox's ledger shows, or say that it does not know.
import { type Client, isInnkeepError, Money } from '@innkeep/core';
import { createSandbox, type Operation, type Sandbox } from '@innkeep/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';
import { CALLBACKS, sandboxWithClient } from './sandbox-client.ts';

const amount = Money.parse('120.00', 'EUR');
const card = { cardNo: '4242424242424242', valid: '2030-12-31', cvc: '123' };
const { scenarios } = createSandbox().control.scenarios();

afterEach(() => {
  vi.useRealTimers();
});

/** The code of an error, or what a result is called. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    const result = await work;
    return (result as { outcome?: string } | undefined)?.outcome ?? 'ok';
  } catch (error) {
    if (isInnkeepError(error)) return error.code;
    throw error;
  }
}

/** How often the upstream really did what the operation asks for. */
function executions(sandbox: Sandbox, operation: Operation): number {
  const { charges, reversals, tokens, hosted } = sandbox.control.ledger();
  const counts: Partial<Record<Operation, number>> = {
    pay: charges.length,
    reversal: reversals.length,
    createToken: tokens.length,
    initpayNoIframe: hosted.length,
    initCreateTokenNoIframe: hosted.length,
  };
  return counts[operation] ?? 0;
}

/** Makes what the operation needs first, and returns the operation itself. */
async function prepare(client: Client, operation: Operation): Promise<() => Promise<unknown>> {
  await client.login();
  const init = { cardInfoRefID: 'booking-1', ...CALLBACKS };
  const started = () => client.initpayNoIframe({ ...init, amount, resNo: 'RES-1' });
  switch (operation) {
    case 'login':
      return () => client.login();
    case 'createToken':
      return () => client.createToken(card);
    case 'pay': {
      const { tokenNo } = await client.createToken(card);
      return () => client.pay({ tokenNo, amount });
    }
    case 'reversal': {
      const { tokenNo } = await client.createToken(card);
      const { transactionID } = await client.pay({ tokenNo, amount });
      return () => client.reversal({ transactionID, amount });
    }
    case 'initpayNoIframe':
      return started;
    case 'initCreateTokenNoIframe':
      return () => client.initCreateTokenNoIframe(init);
    case 'paystatus': {
      const hosted = await started();
      return () => client.paystatus(hosted);
    }
    case 'transaction': {
      const hosted = await started();
      return () => client.transaction(hosted);
    }
    default: {
      return async () => {
        throw new Error(`prepare() in tests/contract/core-sandbox.test.ts has no way to call ${operation}.`);
      };
    }
  }
}

const MONEY: readonly string[] = ['pay', 'reversal', 'createToken'];

/** What core makes of a fault of the answer, by kind of operation. */
function expectedFault(fault: 'network' | 'status' | 'unreadable', operation: string): string {
  if (MONEY.includes(operation)) return 'outcome_unknown';
  return { network: 'network', status: 'upstream_status', unreadable: 'invalid_response' }[fault];
}

/** The scenarios that answer with a status: what core makes of it. A 401 is followed by a new login and another try. */
const STATUS_SCENARIOS = Object.fromEntries(
  scenarios
    .filter(({ name }) => /^(status|redirect)-\d+$/.test(name) && name !== 'status-401')
    .map(({ name }) => [name, (operation: Operation) => expectedFault('status', operation)]),
);

/** Scenarios that change what a single call answers. Those not named here leave single calls as they are. */
const SINGLE_CALL: Readonly<Record<string, (operation: Operation) => string>> = {
  'answer-lost': (operation) => expectedFault('network', operation),
  'error-500-after-charge': (operation) => expectedFault('status', operation),
  'request-lost': (operation) => expectedFault('network', operation),
  unavailable: (operation) => expectedFault('status', operation),
  redirected: (operation) => expectedFault('status', operation),
  ...STATUS_SCENARIOS,
  'status-401': (operation) => (operation === 'login' ? 'authentication_failed' : 'ok'),
  'outcome-pending': () => 'outcome_unknown',
  'garbage-200': (operation) => expectedFault('unreadable', operation),
  'html-page': (operation) => expectedFault('unreadable', operation),
  'foreign-urls': () => 'untrusted_url',
  // Success with another amount than ordered: money moved, and nobody can say how much.
  'record-wrong-amount': () => 'outcome_unknown',
  'record-power-of-ten': () => 'outcome_unknown',
  declined: () => 'declined',
  'declined-for-security': () => 'declined',
  'call-issuer': () => 'declined',
  'expired-card': () => 'declined',
  'insufficient-funds': () => 'declined',
  'declines-later': () => 'declined',
  'late-reversal': () => 'declined',
  rejected(operation) {
    if (operation === 'login') return 'authentication_failed';
    // The record was asked for and is what came; that it says failure is for its reader.
    return operation === 'transaction' ? 'ok' : 'declined';
  },
};

const HOSTED: readonly Operation[] = ['initpayNoIframe', 'initCreateTokenNoIframe'];

const singleCalls = scenarios.flatMap(({ name, operations }) =>
  operations
    .filter((operation) => operation !== 'gateway' && !HOSTED.includes(operation))
    .map((operation) => ({ scenario: name, operation })),
);

describe('one call under a scenario', () => {
  it.each(singleCalls)('$operation, $scenario', async ({ scenario, operation }) => {
    const { sandbox, client } = sandboxWithClient();
    const run = await prepare(client, operation);
    const before = executions(sandbox, operation);
    sandbox.control.scenario({ operation, scenario });
    const outcome = await outcomeOf(run());
    const executed = executions(sandbox, operation) - before;

    expect(outcome).toBe(SINGLE_CALL[scenario]?.(operation) ?? 'ok');
    expect(executed).toBeLessThanOrEqual(1);
    if (MONEY.includes(operation) && outcome === 'ok') expect(executed).toBe(1);
    if (MONEY.includes(operation) && outcome !== 'ok' && outcome !== 'outcome_unknown') expect(executed).toBe(0);
  });
});

/** How a hosted request ends under a scenario, when the guest does as told. `init:` means that the init itself fails. */
const HOSTED_OUTCOMES: Readonly<Record<string, string | ((operation: Operation) => string)>> = {
  approved: (operation) => (operation === 'initpayNoIframe' ? 'paid' : 'tokenized'),
  'answer-lost': 'init:network',
  'error-500-after-charge': 'init:upstream_status',
  'request-lost': 'init:network',
  unavailable: 'init:upstream_status',
  redirected: 'init:upstream_status',
  ...Object.fromEntries(Object.keys(STATUS_SCENARIOS).map((name) => [name, 'init:upstream_status'])),
  'garbage-200': 'init:invalid_response',
  'html-page': 'init:invalid_response',
  'foreign-urls': 'init:untrusted_url',
  rejected: 'init:declined',
  declined: 'error',
  'declined-for-security': 'error',
  'call-issuer': 'error',
  'expired-card': 'error',
  'insufficient-funds': 'error',
  'declines-later': 'error',
  'never-finishes': 'pending',
  'finishes-late': 'pending',
  'record-wrong-amount': 'outcome_unknown',
  'record-wrong-currency': 'outcome_unknown',
  'record-wrong-request': 'outcome_unknown',
  'record-power-of-ten': 'amount_unit_mismatch',
  'surcharge-not-asked': 'outcome_unknown',
};

const hostedFlows = scenarios.flatMap(({ name, operations }) =>
  operations.filter((operation) => HOSTED.includes(operation)).map((operation) => ({ scenario: name, operation })),
);

/** Starts, lets the guest finish, and waits on a clock that does not. */
async function hostedOutcome(sandbox: Sandbox, client: Client, operation: Operation): Promise<string> {
  const common = { cardInfoRefID: 'booking-1', ...CALLBACKS };
  const started =
    operation === 'initpayNoIframe'
      ? client.initpayNoIframe({ ...common, amount, resNo: 'RES-1', surcharge: false })
      : client.initCreateTokenNoIframe(common);
  const failure = await outcomeOf(started);
  if (failure !== 'ok') return `init:${failure}`;
  const init = await started;
  const guest = new Caller({ sandbox });
  for (const action of ['pay', 'confirm']) await guest.submit(init.viewUrl.href, { action });
  vi.useFakeTimers();
  const waiting = outcomeOf(client.waitForResult(init, { deadlineMs: 60_000 }));
  await vi.advanceTimersByTimeAsync(71_000);
  return waiting;
}

describe('a hosted request under a scenario', () => {
  it.each(hostedFlows)('$operation, $scenario', async ({ scenario, operation }) => {
    const { sandbox, client } = sandboxWithClient();
    sandbox.control.scenario({ operation, scenario });
    const outcome = await hostedOutcome(sandbox, client, operation);
    const expected = HOSTED_OUTCOMES[scenario] ?? HOSTED_OUTCOMES.approved ?? '';
    expect(outcome).toBe(typeof expected === 'string' ? expected : expected(operation));
    const { charges } = sandbox.control.ledger();
    expect(charges.length).toBeLessThanOrEqual(1);
    if (outcome === 'paid') expect(charges).toHaveLength(1);
  });
});

describe('hosted requests', () => {
  it.each(['minor', 'major'] as const)('carry a surcharge that was asked for, in %s units', async (amountUnit) => {
    const { sandbox, client } = sandboxWithClient({ amountUnit }, { amountUnit });
    const booking = { amount, cardInfoRefID: 'b', resNo: 'r', surcharge: true };
    const init = await client.initpayNoIframe({ ...booking, ...CALLBACKS });
    await sandbox.control.complete({ requestID: init.requestID, outcome: 'paid', surchargePercent: 2.5 });
    const result = await client.waitForResult(init);
    expect(result).toMatchObject({
      outcome: 'paid',
      transaction: { surchargeApplied: true, surcharge: { percent: 2.5 } },
    });
    if (result.outcome === 'paid') expect(result.transaction.amount?.toDecimal()).toBe('123.00');
  });
});
