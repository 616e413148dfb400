import type { Client } from '../src/client.ts';
import type { CallOptions } from '../src/context.ts';
import { Money } from '../src/values/money.ts';

const amount = Money.ofMinor(12000n, 'EUR');
const callback = 'https://hotel.example/nonce-marker';
const callbacks = { callbackSuccessUrl: callback, callbackAbortUrl: callback };

/** What the calls below are given that nobody may see. */
export const SECRETS = { tokenNo: 'tk-marker-3', cardNo: '5555555555554444', cvc: '9371' } as const;
const { tokenNo, ...card } = { ...SECRETS, valid: '2030-12-31' };

interface Call {
  sample: string;
  run: (client: Client, options?: CallOptions) => Promise<unknown>;
}

/** Every operation: its golden sample, and a call that is in order. */
export const OPERATIONS: Readonly<Record<string, Call>> = {
  login: { sample: 'login', run: (client, options) => client.login(options) },
  paystatus: { sample: 'paystatus', run: (client, options) => client.paystatus({ requestID: 'R-1' }, options) },
  transaction: { sample: 'transaction', run: (client, options) => client.transaction({ requestID: 'R-1' }, options) },
  initpayNoIframe: {
    sample: 'initpay-no-iframe',
    run: (client, options) => client.initpayNoIframe({ amount, cardInfoRefID: 'b', resNo: 'r', ...callbacks }, options),
  },
  initCreateTokenNoIframe: {
    sample: 'init-create-token-no-iframe',
    run: (client, options) => client.initCreateTokenNoIframe({ cardInfoRefID: 'b', ...callbacks }, options),
  },
  call: { sample: 'pay', run: (client, options) => client.call('authorize', {}, options) },
  pay: { sample: 'pay', run: (client, options) => client.pay({ tokenNo, amount }, options) },
  reversal: {
    sample: 'reversal',
    run: (client, options) => client.reversal({ transactionID: 'T-2', amount }, options),
  },
  createToken: { sample: 'create-token', run: (client, options) => client.createToken(card, options) },
} satisfies Record<Exclude<keyof Client, 'context' | 'watch' | 'waitForResult'>, Call>;
