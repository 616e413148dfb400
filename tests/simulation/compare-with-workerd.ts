/** Plays the same quick histories in workerd and in the simulation, kills included. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MoneyStack, startMoneyStack } from '../support/money-stack.ts';
import { seeded } from '../support/seeded.ts';
import { playQuickHistories, type Site } from './quick-histories.ts';

/** Plays so many histories of a seed in both. @returns how each ended, and how often the proxy was killed meanwhile */
export async function compareWithWorkerd(seed: string, histories: number) {
  const simulated = playSimulated(seed, histories);
  const stack = await startMoneyStack();
  try {
    const real = await playQuickHistories(await siteOf(stack), seeded(seed), histories);
    return { real, simulated: await simulated, kills: stack.kills.length };
  } finally {
    await stack.close();
  }
}

/** In a process of its own: the simulation replaces clocks and globals. */
async function playSimulated(seed: string, histories: number): Promise<string[]> {
  const script = fileURLToPath(new URL('quick-simulated.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, seed, String(histories)], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as string[];
}

async function siteOf(running: MoneyStack): Promise<Site> {
  const { sandbox, proxyUrl } = running;
  return {
    cardToken: await running.storeCard(),
    call: running.call,
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
