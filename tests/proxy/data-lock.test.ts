// One folder of data has one runtime: a second start is refused, and nobody is ended for it.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RunningProxy } from '@innkeep/edge-proxy/serve';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { ownFolder } from '../support/own-folder.ts';
import { environment, serveIn } from './support/environment.ts';
import { launch } from './support/launch.ts';

const root = ownFolder();
const dataDir = join(root, 'data');
const settings = environment('http://127.0.0.1:1');
writeFileSync(join(root, 'proxy.env'), settings);
const running: RunningProxy[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const proxy of running.splice(0)) await proxy.close();
});

async function serve(port: number): Promise<RunningProxy> {
  const proxy = await serveIn(root, settings, { port });
  running.push(proxy);
  return proxy;
}

/** A start waits for a runtime that is about to end, on a clock that a second passes on whenever it is asked. */
function waitOnQuickClock(): void {
  const now = Date.now;
  let looks = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 1_000 * looks++);
}

const runtimePid = (): number => Number(readFileSync(join(dataDir, 'workerd.pid'), 'utf8'));
const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const answersAt = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

test('a second start on the same data is refused with the name of the first, which serves on', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  const { pid } = await serve(port);
  waitOnQuickClock();
  await expect(serve(otherPort)).rejects.toThrow(
    `--data: ${dataDir} is in use by process ${pid} on ${hostname()}, which serves http://127.0.0.1:${port}. Stop it first, or name another folder.`,
  );
  expect([await answersAt(port), runtimePid()]).toEqual([true, pid]);
});

test('a runtime that outlived its launcher keeps its data until it ends', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  const args = ['--port', String(port), '--env', join(root, 'proxy.env'), '--data', dataDir];
  const { child: first, ready } = launch(args);
  await ready();
  const pid = runtimePid();
  process.kill(parentOf(pid), 'SIGKILL');
  first.kill('SIGKILL');
  await once(first, 'exit');
  waitOnQuickClock();
  await expect(serve(otherPort)).rejects.toThrow(
    `process ${pid} on ${hostname()}, which serves http://127.0.0.1:${port}.`,
  );
  expect(await answersAt(port)).toBe(true);

  vi.restoreAllMocks();
  process.kill(pid, 'SIGKILL');
  await serve(otherPort);
});
