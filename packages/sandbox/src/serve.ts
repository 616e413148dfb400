#!/usr/bin/env node
/** `innkeep-sandbox`: the sandbox as a server for Node. */
import { parseArgs } from 'node:util';
import { createSandbox } from './server/sandbox.ts';
import { SERVE_OPTIONS, serveHelp } from './server/serve-options.ts';
import { serveSandbox } from './server/serve-sandbox.ts';
import type { SandboxOptions } from './world/settings.ts';

try {
  await main();
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!('code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return error.message;
  return `Port ${error.port} is in use. Stop what listens there, or choose another one with --port.`;
}

async function main(): Promise<void> {
  const values = readOptions();
  if (values.help === true) {
    console.log(serveHelp());
    return;
  }
  const port = Number(values.port ?? '8790');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be a number from 0 to 65535.');
  const { env } = process;
  const options = withoutUndefined({
    profile: values.profile,
    username: values.username ?? env.SANDBOX_USERNAME,
    password: values.password ?? env.SANDBOX_PASSWORD,
    apiKey: values['api-key'] ?? env.SANDBOX_API_KEY,
    baseUrl: values['base-url'],
    amountUnit: values['amount-unit'],
    seed: values.seed,
    now: values['real-time'] === true ? () => new Date() : undefined,
  });
  // createSandbox checks every option, and names a wrong one.
  const served = await serveSandbox({
    port,
    host: String(values.host ?? '127.0.0.1'),
    sandbox: createSandbox(options as SandboxOptions),
  });
  console.log(`ready ${served.url}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void served.close());
}

function readOptions(): Readonly<Record<string, string | boolean | undefined>> {
  const options = SERVE_OPTIONS.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }]);
  return parseArgs({ options: Object.fromEntries(options) as Record<string, { type: 'boolean' | 'string' }> }).values;
}

function withoutUndefined(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
