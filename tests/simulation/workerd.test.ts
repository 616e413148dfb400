import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type Json, type MoneyStack, startMoneyStack } from '../support/money-stack.ts';
import { seeded } from '../support/seeded.ts';
import { playQuickHistories, type Site } from './quick-histories.ts';

const HISTORIES = 200;
const SEED = process.env.SIMULATION_SEED ?? '20261123';

let stack: MoneyStack | undefined;
afterAll(() => stack?.close());

test(`${HISTORIES} histories with kills end in workerd as they end in the simulation (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const simulated = playSimulated();
  stack = await startMoneyStack();
  const real = await playQuickHistories(await siteOf(stack), seeded(SEED), HISTORIES);
  expect(stack.kills.length).toBe(2);
  expect(real).toEqual(await simulated);
});

/** In a process of its own: the simulation replaces clocks and globals. */
async function playSimulated(): Promise<string[]> {
  const script = fileURLToPath(new URL('quick-simulated.ts', import.meta.url));
  const child = spawn(process.execPath, [script, SEED, String(HISTORIES)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return JSON.parse(output) as string[];
}

async function siteOf(running: MoneyStack): Promise<Site> {
  const { sandbox, proxyUrl } = running;
  return {
    cardToken: await running.storeCard(),
    call: (path, options) => running.call(path, options),
    async start(clientSecret) {
      const response = await fetch(`${proxyUrl}/v1/checkout/start`, {
        method: 'POST',
        headers: { authorization: `Bearer ${clientSecret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ presentation: 'redirect' }),
      });
      return { status: response.status, body: (await response.json()) as Json };
    },
    async act(viewUrl, { act, cardNumber }) {
      const post = (form: Record<string, string>): Promise<Response | undefined> =>
        sandbox.fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form) }).catch(() => undefined);
      const form = { cardNumber, cardholder: 'A Guest', expiry: '12/30', cvc: '123' };
      const location = (await post(act === 'pay' ? form : { action: act }))?.headers.get('location');
      return location ? new URL(location).pathname : undefined;
    },
    comeBack: async (path) => {
      await (await fetch(`${proxyUrl}${path}`, { redirect: 'manual' })).text();
    },
    isBooked: (id) => sandbox.control.ledger().charges.some(({ text }) => text.startsWith(id)),
    kill: () => running.killAndRestart(),
    pause: () => new Promise((resolve) => setTimeout(resolve, 500)),
  };
}
