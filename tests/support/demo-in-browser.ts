import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './guest.ts';
import { type StackProcess, startStackProcess } from './stack-process.ts';

/** The demo and a browser, for the tests of the file that calls it. */
export function demoInBrowser(): { stack: StackProcess; browser: Browser } {
  // Filled before the first test.
  const own = {} as { stack: StackProcess; browser: Browser };
  beforeAll(async () => {
    [own.stack, own.browser] = await Promise.all([startStackProcess(), launchBrowser()]);
  });
  afterAll(async () => {
    await own.browser?.close();
    await own.stack?.stop();
  });
  return own;
}
