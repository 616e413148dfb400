// The npm bin as people start it: a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('../../packages/sandbox/dist/serve.js', import.meta.url));

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  const [line] = await once(createInterface(child.stdout), 'line');
  return String(line);
}

function login(url: string, username: string, password: string): Promise<Response> {
  const body = JSON.stringify({ username, password });
  return fetch(`${url}/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

it('prints ready with its address, serves, and stops on SIGTERM', async () => {
  const child = start(['--port', '0']);
  const line = await firstLine(child);
  expect(line).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/);
  expect((await login(line.slice('ready '.length), 'demo', 'demo-password')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('takes credentials as options or from the environment', async () => {
  const child = start(['--port', '0', '--username', 'u'], { SANDBOX_PASSWORD: 'p' });
  const url = (await firstLine(child)).slice('ready '.length);
  expect((await login(url, 'u', 'p')).status).toBe(200);
  expect((await login(url, 'demo', 'demo-password')).status).toBe(401);
});

it('stops with the name of the option that is wrong', async () => {
  const child = start(['--port', '0', '--api-key', 'short']);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(errors).toContain('"apiKey" must have 40 characters');
});
