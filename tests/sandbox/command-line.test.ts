// The npm bin as people start it: a process of its own.
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';

const BIN = fileURLToPath(new URL('../../packages/sandbox/dist/serve.js', import.meta.url));

function start(args: readonly string[], env: Record<string, string> = {}): Program {
  const program = startProgram(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

/** Its address, once it says that it is ready. */
async function addressOf({ output }: Program): Promise<string> {
  await expect.poll(output).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\n$/);
  return output().trim().slice('ready '.length);
}

function login(url: string, username: string, password: string): Promise<Response> {
  const body = JSON.stringify({ username, password });
  return fetch(`${url}/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

it('prints ready with its address, serves whom its options and environment name, keeps a second one off its port in words, and stops on SIGTERM', async () => {
  const program = start(['--port', '0', '--username', 'u'], { SANDBOX_PASSWORD: 'p' });
  const url = await addressOf(program);
  expect((await login(url, 'u', 'p')).status).toBe(200);
  expect((await login(url, 'demo', 'demo-password')).status).toBe(401);
  const { port } = new URL(url);
  const second = start(['--port', port]);
  expect(await second.ended).toBe(1);
  expect(second.output()).toBe(`Port ${port} is in use. Stop what listens there, or choose another one with --port.\n`);
  expect(await program.stop('SIGTERM')).toBe(0);
});

it('stops with the name of the option that is wrong', async () => {
  const { ended, output } = start(['--port', '0', '--api-key', 'short']);
  expect(await ended).toBe(1);
  expect(output()).toContain('"apiKey" must have 40 characters');
});
