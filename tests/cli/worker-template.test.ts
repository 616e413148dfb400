// The folder that `npm create innkeep -- --what proxy` makes, as wrangler reads it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WRANGLER = file('node_modules/wrangler/bin/wrangler.js');

interface Bound {
  readonly name: string;
  readonly namespace_id: string;
}
interface Environment {
  readonly name: string;
  readonly main?: string;
  readonly vars: object;
  readonly durable_objects: { readonly bindings: readonly Bound[] };
  readonly ratelimits: readonly Bound[];
  readonly migrations: readonly { readonly new_sqlite_classes: readonly string[] }[];
}

let folder: string;
let environments: Readonly<Record<'staging' | 'production' | 'none', Environment>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-worker-'));
  await cp(file('packages/create-innkeep/templates/proxy'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules/@innkeep'), { recursive: true });
  await symlink(file('packages/edge-proxy'), join(folder, 'node_modules/@innkeep/edge-proxy'));
  const { unstable_readConfig } = createRequire(WRANGLER)('wrangler') as {
    unstable_readConfig(args: { config: string; env?: string }): Environment;
  };
  const config = join(folder, 'wrangler.jsonc');
  environments = {
    staging: unstable_readConfig({ config, env: 'staging' }),
    production: unstable_readConfig({ config, env: 'production' }),
    none: unstable_readConfig({ config }),
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Its standard output and standard error, which warnings go to, together. */
async function wrangler(...words: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' };
  const child = spawn(process.execPath, [WRANGLER, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, output };
}

it('each environment has every object, both limits, and an entry', () => {
  for (const { main, durable_objects, ratelimits, migrations } of [environments.staging, environments.production]) {
    expect(main).toContain('worker.ts');
    expect(durable_objects.bindings).toHaveLength(8);
    expect(migrations.flatMap(({ new_sqlite_classes: classes }) => classes)).toHaveLength(8);
    expect(ratelimits.map(({ name }) => name)).toEqual(['GUEST_LIMIT', 'FAILURE_LIMIT']);
  }
});

it('they are two Workers, which share no limit and differ in nothing else', () => {
  const { staging, production } = environments;
  expect([staging.name, production.name]).toEqual(['innkeep-proxy-staging', 'innkeep-proxy']);
  const ids = [staging, production].flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id: id }) => id));
  expect(new Set(ids).size).toBe(4);
  const rest = ({ durable_objects, migrations }: Environment) => ({ durable_objects, migrations });
  expect(rest(staging)).toEqual(rest(production));
});

it('a dry run has no warning, and shows what each Worker is bound to', async () => {
  const { exitCode, output } = await wrangler('deploy', '--dry-run', '--env', 'production');
  expect([exitCode, output]).toEqual([0, expect.not.stringMatching(/warning|error/i)]);
  expect(output.match(/^env\.\w+ .*(Durable Object|Rate Limit|Assets) *$/gm)).toHaveLength(11);
}, 180_000);

it('a deployment that names no environment has no entry, which wrangler refuses, and nothing that it could be bound to', () => {
  const { main, durable_objects, ratelimits } = environments.none;
  expect([main, durable_objects.bindings, ratelimits]).toEqual([undefined, [], []]);
});
