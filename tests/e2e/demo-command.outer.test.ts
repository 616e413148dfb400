// `pnpm demo` as a developer runs it, up to its end.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { descendantsOf, freePort, ROOT, readProcesses } from '../../scripts/launch.ts';
import { startProgram } from '../support/program.ts';

const WAIT_LIMIT_MS = 120_000;
vi.setConfig({ testTimeout: 2 * WAIT_LIMIT_MS });

test('pnpm demo ends, and says why, when the proxy’s runtime is killed', async () => {
  const ports = { demo: await freePort(), proxy: await freePort(), sandbox: await freePort() };
  const args = Object.entries(ports).map(([name, port]) => `--${name}-port=${port}`);
  const demo = startProgram(process.execPath, [join(ROOT, 'scripts/demo.ts'), ...args]);
  onTestFinished(() => void demo.stop());
  const address = `http://127.0.0.1:${ports.demo}`;
  await vi.waitFor(() => expect(demo.output()).toContain(`ready ${address}`), WAIT_LIMIT_MS);

  const below = descendantsOf(Number(demo.child.pid), readProcesses());
  const isRuntime = (command: string): boolean => command.includes('/workerd serve ') && !command.includes('node ');
  process.kill(Number(below.find(([, { command }]) => isRuntime(command))?.[0]), 'SIGKILL');

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain('The proxy’s runtime stopped (signal SIGKILL).');
  await expect(fetch(address)).rejects.toThrow();
});
