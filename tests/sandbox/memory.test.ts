// Prevents: a sandbox that gets slow or grows without end under a storm test.
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HOSTED_PAYMENT } from '../../packages/sandbox/test-support/caller.ts';
import { servedCaller } from './served-caller.ts';

const STATUS_CALLS = 300;

async function medianStatusMs(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < STATUS_CALLS; call += 1) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[STATUS_CALLS / 2] ?? 0;
}

it('answers status as fast with 10,000 hosted requests and 100,000 polls in memory as when empty', async () => {
  const caller = await servedCaller();
  const { sandbox } = caller;
  const first = (await caller.initpay()).json.requestID;
  const emptyMs = await medianStatusMs(() => caller.paystatus(first));

  // Filled in-process: the memory is the same, and sockets are not what is measured.
  const headers = { Authorization: `Bearer ${caller.bearer}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(HOSTED_PAYMENT);
  const statusUrls: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const response = await sandbox.fetch('http://x/V2/1234/initpayNoIframe', { method: 'POST', headers, body });
    const init: unknown = await response.json();
    if (typeof init === 'object' && init !== null && 'stateRetrivalUrl' in init)
      statusUrls.push(String(init.stateRetrivalUrl));
  }
  for (let count = 0; count < 100_000; count += 1) {
    await sandbox.fetch(statusUrls[count % statusUrls.length] ?? '', { headers });
    // Lets the connections that idle meanwhile time out and be noticed; the next request must not meet a closed one.
    if (count % 1_000 === 0) await setImmediate();
  }

  const { hosted } = sandbox.control.ledger();
  expect(hosted.length).toBe(10_001);
  expect(hosted.reduce((sum, { polls }) => sum + polls, 0)).toBe(100_000 + STATUS_CALLS);
  expect(sandbox.control.requests().requests.length).toBe(20_000);
  const fullMs = await medianStatusMs(() => caller.paystatus(first));
  console.log(`status: ${emptyMs.toFixed(2)} ms empty, ${fullMs.toFixed(2)} ms full`);
  expect(fullMs).toBeLessThan(emptyMs * 10);
}, 180_000);
