#!/usr/bin/env node
/** `innkeep-sandbox`: the sandbox as a server for Node. */
import { parseArgs } from 'node:util';
import { createSandbox } from './sandbox.ts';
import { serveSandbox } from './serve-sandbox.ts';
import type { SandboxOptions } from './settings.ts';

const HELP = `innkeep-sandbox: a simulator of the hotel payment API and its gateway

  --port <number>         8790
  --host <address>        127.0.0.1
  --profile <name>        strict | lenient
  --username <text>       demo, or SANDBOX_USERNAME
  --password <text>       demo-password, or SANDBOX_PASSWORD
  --api-key <40 chars>    the documented test key, or SANDBOX_API_KEY
  --base-url <url>        address to write into answers; otherwise the request's own origin
  --amount-unit <name>    minor | major
  --seed <text>           same seed and same calls give the same bytes
  --real-time             let the clock run; otherwise it stands still until it is moved
  --help
`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8790' },
      host: { type: 'string', default: '127.0.0.1' },
      profile: { type: 'string' },
      username: { type: 'string' },
      password: { type: 'string' },
      'api-key': { type: 'string' },
      'base-url': { type: 'string' },
      'amount-unit': { type: 'string' },
      seed: { type: 'string' },
      'real-time': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const port = Number(values.port);
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
    now: values['real-time'] ? () => new Date() : undefined,
  });
  // createSandbox checks every option and names the one that is wrong.
  const served = await serveSandbox({ port, host: values.host, sandbox: createSandbox(options as SandboxOptions) });
  console.log(`ready ${served.url}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void served.close());
}

function withoutUndefined(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
