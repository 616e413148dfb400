// Prevents: a deployment that fails half-way for a reason that could have been reported before it began.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'jsonc-parser';
import { type DemoSecrets, makeDemoSecrets } from './demo-property.ts';
import type { DemoWorker } from './demo-workers.ts';
import type { CommandResult } from './run-command.ts';

/** Runs a command line in the repository and tells how it ended. */
export type Run = (command: readonly string[]) => Promise<CommandResult>;

/** Something that the person who deploys can repair. Its message says how. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

// Cloudflare's own: 3 MB of code on the free plan, 5 kB for a variable or secret, 20,000 files of 25 MiB.
const MOST_CODE_BYTES = 3_000_000;
const MOST_VALUE_BYTES = 5_120;
const MOST_FILES = 20_000;
const MOST_FILE_BYTES = 25 * 1024 * 1024;

/** The workers.dev subdomain as it stands in addresses. @throws DeploymentError when it cannot be one. */
export function parseSubdomain(text: string | undefined): string {
  const hint = 'It is the part of your Workers’ addresses before ".workers.dev"; the dashboard shows it under Workers.';
  if (text === undefined || text === '') throw new DeploymentError(`--subdomain is missing. ${hint}`);
  const subdomain = text.replace(/^https?:\/\//, '').replace(/\.workers\.dev\/?$/, '');
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(subdomain)) {
    throw new DeploymentError(`--subdomain: "${text}" is not a subdomain. ${hint}`);
  }
  return subdomain;
}

/** The secrets of an earlier deployment, or new ones, which are then kept: a second deployment must not change a key. */
export async function keepSecrets(file: string): Promise<DemoSecrets> {
  const fresh = makeDemoSecrets();
  const kept = await readKept(file);
  const names = Object.keys(fresh) as Array<keyof DemoSecrets>;
  const secrets = Object.fromEntries(names.map((name) => [name, kept[name] ?? fresh[name]])) as unknown as DemoSecrets;
  if (names.some((name) => kept[name] === undefined)) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return secrets;
}

/** @throws DeploymentError when nobody is logged in at Cloudflare. */
export async function assertLoggedIn(run: Run): Promise<void> {
  if ((await run(['wrangler', 'whoami', '--json'])).code === 0) return;
  throw new DeploymentError(
    'wrangler is not logged in. Run `npx pnpm exec wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that may edit Workers.',
  );
}

/**
 * Uploads one Worker, or with `isDryRun` does everything but that. Nothing secret is on a command line.
 *
 * @throws DeploymentError with what wrangler said when it fails, and when the Worker lacks a binding or is too large.
 */
export async function deployWorker(worker: DemoWorker, options: { run: Run; isDryRun: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-deploy-'));
  try {
    const secretsFile = join(folder, 'secrets.json');
    await writeFile(secretsFile, JSON.stringify(worker.secrets), { mode: 0o600 });
    assertValuesFit(worker);
    const vars = Object.entries(worker.vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
    const { code, output } = await options.run([
      ...['wrangler', 'deploy', '--config', worker.configFile, '--secrets-file', secretsFile, ...vars],
      ...['--outdir', join(folder, 'bundle')],
      ...(options.isDryRun ? ['--dry-run'] : []),
    ]);
    if (code !== 0) throw new DeploymentError(`${worker.name} was not deployed:\n${output}`);
    assertBindings(worker, output);
    assertCodeFits(worker, join(folder, 'bundle'));
    if (!options.isDryRun) assertAddress(worker, output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws DeploymentError when the site's folder is incomplete or larger than Cloudflare takes. */
export function assertSiteFits(folder: string): void {
  for (const part of ['public', 'widgets', 'payments-desk', 'docs']) {
    if (readdirSync(folder).includes(part)) continue;
    throw new DeploymentError(`${join(folder, part)} is missing. Build the demo: npx pnpm build`);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (files.length > MOST_FILES) throw new DeploymentError(`The site has ${files.length} files; ${MOST_FILES} fit.`);
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (statSync(path).size > MOST_FILE_BYTES) throw new DeploymentError(`${path} is larger than 25 MiB.`);
  }
}

/** The bindings that a Worker's source declares as needed, by its interface named `…Bindings`. */
export function neededBindings(source: string): readonly string[] {
  const declaration = /interface \w+Bindings[^{]*\{(.*?)\n\}/s.exec(source)?.[1] ?? '';
  return [...declaration.matchAll(/^ {2}readonly ([A-Z][A-Z_0-9]*):/gm)].map(([, name = '']) => name);
}

/** The bindings of a wrangler configuration, by name: objects, rate limits and files. */
export function configuredBindings(text: string): readonly string[] {
  const { durable_objects, ratelimits, assets }: WranglerConfiguration = parse(text);
  return [
    ...(durable_objects?.bindings ?? []).map(({ name }) => name),
    ...(ratelimits ?? []).map(({ name }) => name),
    ...(assets?.binding === undefined ? [] : [assets.binding]),
  ];
}

interface WranglerConfiguration {
  readonly durable_objects?: { readonly bindings?: readonly { readonly name: string }[] };
  readonly ratelimits?: readonly { readonly name: string }[];
  readonly assets?: { readonly binding?: string };
}

function assertBindings(worker: DemoWorker, output: string): void {
  const there = new Set([...output.matchAll(/^env\.(\w+)/gm)].map(([, name]) => name));
  const own = neededBindings(readFileSync(worker.sourceFile, 'utf8'));
  if (own.length === 0) throw new DeploymentError(`${worker.sourceFile} declares no bindings.`);
  const other = worker.standsFor === undefined ? [] : configuredBindings(readFileSync(worker.standsFor, 'utf8'));
  const missing = [...own, ...other].filter((name) => !there.has(name));
  if (missing.length > 0) throw new DeploymentError(`${worker.name} has no ${missing.join(', ')}.`);
}

function assertCodeFits({ name }: DemoWorker, bundle: string): void {
  const bytes = readdirSync(bundle)
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(bundle, file))).length, 0);
  if (bytes === 0) throw new DeploymentError(`${name} has no code in ${bundle}.`);
  if (bytes > MOST_CODE_BYTES) throw new DeploymentError(`${name} is ${bytes} bytes after gzip; 3 MB fit.`);
}

function assertValuesFit({ name, vars, secrets }: DemoWorker): void {
  for (const [key, value] of Object.entries({ ...vars, ...secrets })) {
    if (Buffer.byteLength(value) > MOST_VALUE_BYTES) throw new DeploymentError(`${name}: ${key} is larger than 5 kB.`);
  }
}

/** The others are configured with this address. Under another one nothing would find anything. */
function assertAddress({ name, address }: DemoWorker, output: string): void {
  const actual = new RegExp(`https://${name}\\.([a-z0-9-]+)\\.workers\\.dev`).exec(output);
  if (actual === null || actual[0] === address) return;
  throw new DeploymentError(`This account’s subdomain is "${actual[1]}". Run it again with --subdomain ${actual[1]}`);
}

async function readKept(file: string): Promise<Partial<Record<keyof DemoSecrets, string>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new DeploymentError(`${file} cannot be read. Repair it, or delete it to have new secrets made up.`);
  }
}
