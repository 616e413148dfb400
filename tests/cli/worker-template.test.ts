// The folder that `npm create innkeep -- --what proxy` makes, as wrangler reads it.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorkerFolder, WRANGLER } from './worker-folder.ts';

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
  folder = await makeWorkerFolder();
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

it('a deployment that names no environment has no entry, which wrangler refuses, and nothing that it could be bound to', () => {
  const { main, durable_objects, ratelimits } = environments.none;
  expect([main, durable_objects.bindings, ratelimits]).toEqual([undefined, [], []]);
});
