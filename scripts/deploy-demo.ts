// `pnpm deploy-demo --subdomain NAME`: the whole demo (hotel, proxy, sandbox) as three Workers of a Cloudflare account.
// With --dry-run everything but the upload, without an account and without a network.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  assertLoggedIn,
  assertSiteFits,
  DeploymentError,
  deployWorker,
  keepSecrets,
  parseSubdomain,
  type Run,
} from './demo-deployment.ts';
import { makeDemoSecrets } from './demo-property.ts';
import { demoWorkers, workersDevAddresses } from './demo-workers.ts';
import { buildDemoWorkers, ROOT } from './launch.ts';
import { runCommand } from './run-command.ts';

try {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    options: { subdomain: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  await (values['dry-run'] ? dryRun() : deploy(parseSubdomain(values.subdomain)));
} catch (error) {
  if (!(error instanceof DeploymentError) && !(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function dryRun(): Promise<void> {
  buildDemoWorkers();
  assertSiteFits(join(ROOT, 'apps/demo/dist/workers/site'));
  const workers = demoWorkers(workersDevAddresses('example'), makeDemoSecrets());
  for (const worker of workers) await deployWorker(worker, { run: runWrangler, isDryRun: true });
  console.log(`${workers.length} Workers would be deployed`);
}

async function deploy(subdomain: string): Promise<void> {
  await assertLoggedIn(runWrangler);
  console.log('Building …');
  buildDemoWorkers();
  assertSiteFits(join(ROOT, 'apps/demo/dist/workers/site'));
  const addresses = workersDevAddresses(subdomain);
  const secrets = await keepSecrets(join(ROOT, '.innkeep/demo-deployment', `${subdomain}.json`));
  for (const worker of demoWorkers(addresses, secrets)) {
    console.log(`Deploying ${worker.name} …`);
    await deployWorker(worker, { run: runWrangler, isDryRun: false });
  }
  console.log(`
  Hotel Aurora   ${addresses.hotel}
  Edge proxy     ${addresses.proxy}
  Sandbox        ${addresses.sandbox}

A new address can take a minute until it answers. Everybody who knows it shares this one hotel.
To take it down: npx pnpm exec wrangler delete --name <Worker>, for each of the three, the hotel last.`);
}

function runWrangler(command: readonly string[]): ReturnType<Run> {
  return runCommand(command, { timeoutMs: 600_000 });
}
