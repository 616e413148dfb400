// `pnpm demo`: demo hotel, edge proxy and sandbox together, on loopback, nothing to configure.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assertPortFree,
  build,
  buildMeanwhile,
  isFullyInstalled,
  readOptions,
  rememberPnpm,
  stopWithLauncher,
} from './launch.ts';

// What a newcomer tries first; the sandbox serves the whole table.
const SHOWN_SCENARIOS = ['approved', 'declined', 'insufficient-funds', 'surcharged', 'slow', 'declines-later'];

const values = readOptions({ 'demo-port': '4000', 'proxy-port': '8787', 'sandbox-port': '8790' });
const ports = {
  demoPort: portOption('demo-port'),
  proxyPort: portOption('proxy-port'),
  sandboxPort: portOption('sandbox-port'),
};

stopWithLauncher();
rememberPnpm();
console.log('Building: a quarter of a minute the first time, under a second when nothing changed …');
build('@innkeep/demo', '@innkeep/edge-proxy', '@innkeep/sandbox');

// Imported late: what it imports exists only once the build has run.
const { startStack } = await import('./stack.ts');
const dataDir = await mkdtemp(join(tmpdir(), 'innkeep-demo-'));
try {
  await assertPortFree(ports.demoPort, '--demo-port');
  await assertPortFree(ports.proxyPort, '--proxy-port');
  await assertPortFree(ports.sandboxPort, '--sandbox-port');
  // The hotel does without; it would make the first start twice as long. Where its tools are not installed yet, it waits for a reader.
  let documentation: { stop(): void } | undefined;
  const makeDocumentation = (): void => {
    documentation ??= buildMeanwhile('@innkeep/docs');
  };
  const stack = await startStack({ ...ports, dataDir, onDocs: makeDocumentation });
  if (isFullyInstalled()) makeDocumentation();
  let isStopping = false;
  const stop = async (exitCode: number, why = ''): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    console.log(`${why}\nStopping demo, proxy and sandbox …`);
    documentation?.stop();
    await stack.close();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
  void stack.proxyExited.then((how) => stop(1, `The proxy’s runtime stopped (${how}).`));
  console.log(`
  Hotel Aurora   ${stack.demoUrl}      book a room and pay; the wire panel shows every request
  Documentation  ${stack.demoUrl}/docs/      made when you first open it, which takes a minute
  Edge proxy     ${stack.proxyUrl}      holds the credentials, watches the payment
  Sandbox        ${stack.sandboxUrl}      plays the payment service

  Test cards (any future date, any CVC):
${SHOWN_SCENARIOS.flatMap(
  (scenario) => stack.magicInputs.find((row) => row.lever === 'card' && row.scenario === scenario) ?? [],
)
  .map((row) => `    ${row.input.replace(/(\d{4})(?=\d)/g, '$1 ')}   ${row.effect}`)
  .join('\n')}

  ${stack.magicInputs.length} magic inputs in all: ${stack.sandboxUrl}/__sandbox/magic      Stop with Ctrl-C.

ready ${stack.demoUrl}`);
} catch (error) {
  await rm(dataDir, { recursive: true, force: true });
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function portOption(name: 'demo-port' | 'proxy-port' | 'sandbox-port'): number {
  const port = Number(values[name]);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  console.error(`--${name} must be a port number from 1 to 65535, not "${values[name]}".`);
  process.exit(1);
}
