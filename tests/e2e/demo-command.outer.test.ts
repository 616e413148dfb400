// `pnpm demo` as a developer runs it, up to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { descendantsOf, freePort, ROOT, readProcesses } from '../../scripts/launch.ts';

const WAIT_LIMIT_MS = 120_000;
vi.setConfig({ testTimeout: 2 * WAIT_LIMIT_MS });

test('pnpm demo ends, and says why, when the proxy’s runtime is killed', async () => {
  const ports = { demo: await freePort(), proxy: await freePort(), sandbox: await freePort() };
  const args = Object.entries(ports).map(([name, port]) => `--${name}-port=${port}`);
  const demo = spawn(process.execPath, [join(ROOT, 'scripts/demo.ts'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void demo.kill('SIGTERM'));
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(demo, 'exit');
  await vi.waitFor(() => expect(output).toContain(`ready http://127.0.0.1:${ports.demo}`), WAIT_LIMIT_MS);

  const below = descendantsOf(Number(demo.pid), readProcesses());
  const runtime = below.find(
    ([, { command }]) => command.includes('/bin/workerd serve ') && !command.includes('node '),
  );
  process.kill(Number(runtime?.[0]), 'SIGKILL');

  expect(await ended).toEqual([1, null]);
  expect(output).toContain('The proxy’s runtime stopped (signal SIGKILL).');
  await expect(fetch(`http://127.0.0.1:${ports.demo}`)).rejects.toThrow();
});
