/**
 * `node tests/widgets/smoke/webkit.ts`: the journey in WebKitGTK (Debian: webkit2gtk-driver and xvfb; an argument names
 * another MiniBrowser). Spoken to by plain WebDriver, since no package drives it.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { freePort } from '../../../scripts/launch.ts';
import { payOnce } from './journey.ts';

const REQUEST_LIMIT_MS = 15_000;

const binary = process.argv[2] ?? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0];
if (!binary) throw new Error('There is no WebKitGTK MiniBrowser. Debian: apt-get install webkit2gtk-driver xvfb');
const port = await freePort();
const driver = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
  // The driver, its display and its browsers are one group, which is ended as one.
  detached: true,
  stdio: 'ignore',
  env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
});

try {
  const session = await open();
  await payOnce('WebKit', {
    goto: async (url) => void (await command(`/session/${session}/url`, { url })),
    evaluate: (expression) => command(`/session/${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
  });
  await command(`/session/${session}`, undefined, 'DELETE');
} finally {
  if (driver.pid !== undefined) process.kill(-driver.pid);
}

/** A new browser, as soon as the driver listens. */
async function open(): Promise<string> {
  const options = { binary, args: ['--automation'] };
  const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
  const giveUp = Date.now() + REQUEST_LIMIT_MS;
  for (;;) {
    try {
      // The answer to a new session carries its id.
      return ((await command('/session', wanted)) as { sessionId: string }).sessionId;
    } catch (error) {
      if (Date.now() > giveUp) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function command(path: string, body?: object, method = 'POST'): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(JSON.stringify(value));
  return value;
}
