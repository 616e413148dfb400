// Runs in every runtime, from the packed package: what must behave the same everywhere. No test framework, no Node.
import { createClient, isInnkeepError, Money } from '@innkeep/core';
import { createCheckout } from '@innkeep/core/checkout';
import { createContext } from '@innkeep/core/context';
import { StartedCheckoutSchema } from '@innkeep/core/contract';
import { createGatewayClient } from '@innkeep/core/gateway';
import { checkRecord } from '@innkeep/core/hosted';
import { createMerchantClient } from '@innkeep/core/merchant';
import { pay } from '@innkeep/core/operations/pay';
import { fromLocalDateTime, toLocalDateTime } from '@innkeep/core/values';
import { signWebhook, verifyWebhook } from '@innkeep/core/webhooks';

/** Where the suite runs. */
export interface SmokeOptions {
  /** Address of the upstream; everything the suite asks for is below it. */
  upstream: string;
  runtime: 'node' | 'bun' | 'deno' | 'workerd' | 'chromium';
}

/** What became of each case: `ok`, or the failure. */
export type SmokeResults = Record<string, string>;

const amount = Money.parse('120.00', 'EUR');

/** Every status that a fetch implementation treats specially; redirects with a `Location` have `-to` at the end. */
const STATUSES = [
  ...['401', '401-challenge', '407', '408', '413', '417', '421', '425', '429', '503'],
  ...[301, 302, 303, 307, 308].flatMap((status) => [`${status}`, `${status}-to`]),
];

/** What a runtime sends twice by itself all the same: a read, which has no body, and in a page everything. */
const SENT_TWICE: Readonly<Record<SmokeOptions['runtime'], Readonly<Record<string, RegExp>>>> = {
  node: { 421: /^paystatus$/ },
  bun: {},
  deno: {},
  workerd: {},
  chromium: { 408: /^/, 421: /^/ },
};

/** Runs every case and never throws. */
export async function runSmoke({ upstream, runtime }: SmokeOptions): Promise<SmokeResults> {
  const isPage = runtime === 'chromium';
  const settings = (scene: string, dangerouslyAllowBrowser = isPage) => ({
    baseUrl: `${upstream}/${scene}`,
    customerId: '4711',
    credentials: { username: 'demo', password: 'demo-password' },
    hotel: { hotelID: '1', hotelIDType: 'SANDBOX_PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'SANDBOX_DIRECT', hosted: 'SANDBOX_HOSTED' },
    amountUnit: 'minor' as const,
    maxNetworkRetries: 0,
    dangerouslyAllowBrowser,
  });

  const gatewayAt = (scene: string) =>
    createGatewayClient({ baseUrl: `${upstream}/${scene}`, customerId: '4711', apiKey: 'k'.repeat(40) });

  const cases: Record<string, () => Promise<void>> = {
    'pays on a hosted page': async () => {
      const client = createClient(settings('healthy'));
      const init = await client.initpayNoIframe({
        amount,
        cardInfoRefID: 'booking-1234',
        resNo: 'RES-1234',
        callbackSuccessUrl: 'https://hotel.example/s',
        callbackAbortUrl: 'https://hotel.example/a',
      });
      const result = await client.waitForResult(init, { deadlineMs: 10_000 });
      equal(result.outcome, 'paid');
      if (result.outcome !== 'paid') return;
      equal(result.transaction.amount?.toString(), '120.00 EUR');
      equal(checkRecord({ ...init.request, requestID: init.requestID }, result.transaction).decision, 'consistent');
    },
    'charges, reverses and keys a card': async () => {
      const client = createClient(settings('healthy'));
      const { tokenNo } = await client.createToken({ cardNo: '4242424242424242', valid: '2028-12-31', cvc: '123' });
      const { transactionID } = await pay(client.context, { tokenNo, amount, text: 'Zürich € 😀' });
      const reversed = await client.reversal({ transactionID, amount });
      equal(reversed.returnCode, '0');
    },
    'logs in once for 50 concurrent calls': async () => {
      const client = createClient(settings('concurrent'));
      await Promise.all(Array.from({ length: 50 }, () => client.paystatus({ requestID: 'R-1' })));
      equal((await counts('concurrent')).logins, 1);
    },
    'follows no redirect': async () => {
      const client = createClient(settings('redirect'));
      await rejects(client.pay({ tokenNo: 'TK-0001', amount }), 'outcome_unknown');
      await rejects(client.paystatus({ requestID: 'R-1' }), 'upstream_status');
      equal((await counts('redirect')).followed, 0);
    },
    'gives up in time, body included': async () => {
      const client = createClient({ ...settings('hang'), timeoutMs: 1500 });
      await Promise.all([
        rejects(client.pay({ tokenNo: 'TK-0001', amount }), 'outcome_unknown'),
        rejects(client.paystatus({ requestID: 'R-1' }), 'timeout'),
      ]);
    },
    'passes an abort through': async () => {
      const client = createClient(settings('hang'));
      const reason = new Error('enough');
      const caught = await client
        .paystatus({ requestID: 'R-1' }, { signal: AbortSignal.abort(reason) })
        .catch((error: unknown) => error);
      equal(caught === reason, true);
    },
    'refuses a body that is too large': async () => {
      await rejects(createClient(settings('large')).paystatus({ requestID: 'R-1' }), 'invalid_response');
    },
    'speaks ISO-8859-1 with the gateway': async () => {
      const reply = await gatewayAt('gateway').keepAlive({
        OC: 'Zürich €',
        TN: '1',
        CDT: '2026-06-01T12:00:00',
        status: '0',
      });
      equal(reply.document?.get('ECHO'), 'Zürich €');
      equal(reply.document?.get('EURO'), '€');
    },
    'knows local time across daylight-saving changes': async () => {
      equal(toLocalDateTime(new Date('2026-03-29T01:00:00Z'), 'Europe/Vienna'), '2026-03-29T03:00:00');
      equal(toLocalDateTime(new Date('2026-12-31T23:00:00Z'), 'Europe/Vienna'), '2027-01-01T00:00:00');
      equal(
        fromLocalDateTime('2026-10-25T02:30:00', 'Europe/Vienna', 'later').toISOString(),
        '2026-10-25T01:30:00.000Z',
      );
    },
    'signs and verifies webhooks': async () => {
      const secret = `whsec_${btoa('a secret of twenty-four bytes')}`;
      const body = '{"id":"ev_1","type":"checkout.succeeded","data":{"object":{}}}';
      const headers = await signWebhook({ id: 'ev_1', timestamp: new Date(), body, secret });
      equal((await verifyWebhook(body, headers, secret)).id, 'ev_1');
      await rejects(verifyWebhook(`${body} `, headers, secret), 'webhook_verification_failed');
    },
    'talks to the proxy as guest and as merchant': async () => {
      const checkout = createCheckout({ endpoint: `${upstream}/proxy`, clientSecret: 'cs_1_x' });
      equal((await checkout.start({ presentation: 'tab', terms: 1 })).viewUrl, 'https://view.example/');
      equal(typeof StartedCheckoutSchema, 'object');
      const seen: string[] = [];
      for await (const view of checkout.watch()) seen.push(view.status);
      equal(seen.join(), 'succeeded');
      const merchant = createMerchantClient({ endpoint: `${upstream}/proxy`, secretKey: 'sk_1' });
      const session = await merchant.checkoutSessions.retrieve('cs_1');
      equal(session.status, 'succeeded');
    },
    'announces the length of every body': async () => {
      const client = createClient(settings('lengths'));
      await client.login();
      await client.createToken({ cardNo: '4242424242424242', valid: '2028-12-31' });
      await client.pay({ tokenNo: 'TK-0001', amount, text: 'Zürich € 😀' });
      await client.call('reversal', { text: 'Zürich' });
      await gatewayAt('lengths').send('RMS', 'empty', new Uint8Array());
      const { lengths } = await counts('lengths');
      equal((lengths as string[]).join(), 'announced,announced,announced,announced,announced');
    },
    'announces the length of a body that may be sent again': async () => {
      await createClient({ ...settings('lengths-again'), maxNetworkRetries: 2 }).login();
      const merchant = createMerchantClient({ endpoint: `${upstream}/lengths-again`, secretKey: 'sk_1' });
      const charge = {
        token: 'TK',
        amount: { value: 1, currency: 'EUR' },
        reference: 'Zürich',
        reason: 'deposit',
      } as const;
      await merchant.charges.create(charge, { idempotencyKey: 'RES-1' });
      const { lengths } = await counts('lengths-again');
      equal((lengths as string[]).join(), 'announced,announced,announced');
    },
    'takes the fetch of the runtime for an injected one': async () => {
      const client = createClient({ ...settings('healthy'), fetch: globalThis.fetch });
      equal((await client.paystatus({ requestID: 'R-1' })).state, 'done');
    },
  };
  for (const status of STATUSES) {
    // A browser asks the guest for a password then, and nobody is there to answer.
    if (isPage && status === '401-challenge') continue;
    cases[`sends once what is answered with ${status}`] = async () => {
      const scene = `status-${status}`;
      const client = createClient(settings(scene));
      const failure = status.startsWith('401') ? 'authentication_failed' : 'upstream_status';
      // Node and browsers hide a 407 behind a failed fetch.
      const hidden = status === '407' && (runtime === 'node' || isPage) ? 'network' : undefined;
      const init = { cardInfoRefID: 'b', callbackSuccessUrl: `${upstream}/s`, callbackAbortUrl: `${upstream}/a` };
      const calls: readonly (readonly [name: string, code: string, work: () => Promise<unknown>])[] = [
        ['login', hidden ?? failure, () => createClient(settings(`login-${status}`)).login()],
        [
          'pay',
          failure === 'upstream_status' ? 'outcome_unknown' : failure,
          () => client.pay({ tokenNo: 'TK-0001', amount }),
        ],
        ['authorize', hidden ?? failure, () => client.call('authorize', {})],
        ['initCreateTokenNoIframe', hidden ?? failure, () => client.initCreateTokenNoIframe(init)],
        ['paystatus', hidden ?? failure, () => client.paystatus({ requestID: 'R-1' })],
        [
          'keepalivereq',
          hidden ?? 'gateway_status',
          () => gatewayAt(scene).keepAlive({ OC: 'KA', TN: '1', CDT: '2026-06-01T12:00:00', status: '0' }),
        ],
      ];
      for (const [name, code, work] of calls) {
        await rejects(work(), code);
        const { visits } = await counts(name === 'login' ? `login-${status}` : scene);
        // A refused access token is replaced once; a login and the gateway have none.
        const sent = failure === 'authentication_failed' && name !== 'login' && name !== 'keepalivereq' ? 2 : 1;
        const isResent = SENT_TWICE[runtime][status]?.test(name) === true;
        const seen = (visits as Record<string, number>)[name] ?? 0;
        // How often a page repeats depends on how many idle connections its browser still holds.
        const wanted = isResent && isPage ? Math.max(seen, 2 * sent) : isResent ? 2 * sent : sent;
        equal(`${name} × ${seen}`, `${name} × ${wanted}`);
      }
      equal((await counts(scene)).followed, 0);
    };
  }
  if (!isPage) {
    cases['does not know the outcome after a reset of a reused connection, and charges once'] = async () => {
      const client = createClient(settings('reset'));
      await client.paystatus({ requestID: 'R-1' });
      await client.paystatus({ requestID: 'R-1' });
      await rejects(client.pay({ tokenNo: 'TK-0001', amount }), 'outcome_unknown');
      // A runtime that sends again by itself has done so before the call comes back.
      const { charges, reused } = await counts('reset');
      // On Deno nothing of ours travels on a connection that was used before.
      equal(`${charges} charge, reused: ${reused}`, `1 charge, reused: ${runtime !== 'deno'}`);
    };
  } else {
    cases['sends money twice on a reused connection that is reset, which is why a page needs leave'] = async () => {
      const client = createClient(settings('reset'));
      await client.paystatus({ requestID: 'R-1' });
      await rejects(client.pay({ tokenNo: 'TK-0001', amount }), 'outcome_unknown');
      const { charges, reused } = await counts('reset');
      equal(Number(charges) > 1 && reused, true);
    };
    cases['refuses to move money in a page'] = async () => {
      const context = createContext(settings('healthy', false));
      await rejects(pay(context, { tokenNo: 'TK-0001', amount }), 'configuration');
    };
  }

  async function counts(scene: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${upstream}/${scene}/counts`);
    return (await response.json()) as Record<string, unknown>;
  }

  const results: SmokeResults = {};
  for (const [name, run] of Object.entries(cases)) {
    results[name] = await run().then(
      () => 'ok',
      (error: unknown) => String(error),
    );
  }
  return results;
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`);
}

async function rejects(work: Promise<unknown>, code: string): Promise<void> {
  const outcome = await work.then(
    () => 'a result',
    (error: unknown) => (isInnkeepError(error) ? error.code : String(error)),
  );
  equal(outcome, code);
}
