// One folder of data has one runtime: a second start is refused, and nobody is ended for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { PATIENT } from '../../scripts/test-limits.ts';
import { environment } from './support/proxy-under-test.ts';

const SERVE = fileURLToPath(new URL('../../packages/edge-proxy/bin/innkeep-proxy.js', import.meta.url));
let root: string;
let dataDir: string;
let running: ChildProcess[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'innkeep-lock-'));
  dataDir = join(root, 'data');
  running = [];
  writeFileSync(join(root, 'proxy.env'), environment('http://127.0.0.1:1'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGTERM');
    await ended(child);
  }
  rmSync(root, { recursive: true, force: true });
});

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

function launch(port: number) {
  const args = [SERVE, '--port', String(port), '--env', join(root, 'proxy.env'), '--data', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    child,
    output: () => output,
    ready: () => vi.waitFor(() => expect(output).toContain(`ready http://127.0.0.1:${port}`), PATIENT),
  };
}

/** How a start that is to be refused ends; it does not when it serves. */
const refusal = ({ child, ready }: ReturnType<typeof launch>): Promise<number | string | null> => {
  const exit = ended(child);
  return Promise.race([
    exit,
    ready().then(
      () => 'serves',
      () => exit,
    ),
  ]);
};

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
  await launch(port).ready();
  const pid = runtimePid();
  const second = launch(otherPort);
  expect(await refusal(second)).toBe(1);
  expect(second.output()).toBe(
    `--data: ${dataDir} is in use by process ${pid} on ${hostname()}, which serves http://127.0.0.1:${port}. Stop it first, or name another folder.\n`,
  );
  expect([await answersAt(port), runtimePid()]).toEqual([true, pid]);
});

test('a runtime that outlived its launcher keeps its data until it ends', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  const first = launch(port);
  await first.ready();
  const pid = runtimePid();
  process.kill(parentOf(pid), 'SIGKILL');
  first.child.kill('SIGKILL');
  await ended(first.child);
  const second = launch(otherPort);
  expect(await refusal(second)).toBe(1);
  expect(second.output()).toContain(`process ${pid} on ${hostname()}, which serves http://127.0.0.1:${port}.`);
  expect(await answersAt(port)).toBe(true);

  process.kill(pid, 'SIGKILL');
  await launch(otherPort).ready();
});
