import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The program itself, as packages install it. */
export const WRANGLER: string = file('node_modules/wrangler/bin/wrangler.js');

/** The folder that `npm create innkeep -- --what proxy` makes, installed. */
export async function makeWorkerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-worker-'));
  await cp(file('packages/create-innkeep/templates/proxy'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules/@innkeep'), { recursive: true });
  await symlink(file('packages/edge-proxy'), join(folder, 'node_modules/@innkeep/edge-proxy'));
  return folder;
}

interface Bound {
  readonly name: string;
  readonly namespace_id: string;
}

/** What one deployment of the folder is made of, as far as it is read here. */
export interface Environment {
  readonly name: string;
  readonly main?: string | undefined;
  readonly durable_objects: { readonly bindings: readonly Bound[] };
  readonly ratelimits: readonly Bound[];
  readonly migrations: readonly { readonly new_sqlite_classes: readonly string[] }[];
}

export function readConfiguration(path: string) {
  return parse(readFileSync(file(path), 'utf8'));
}

/** The environments of the folder's configuration; `none` is a deployment that names none. */
export function readEnvironments(): Readonly<Record<'staging' | 'production' | 'none', Environment>> {
  const {
    env,
    name,
    main,
    durable_objects = { bindings: [] },
    ratelimits = [],
    ...inherited
  } = readConfiguration('packages/create-innkeep/templates/proxy/wrangler.jsonc');
  return {
    staging: { name: `${name}-staging`, main, ...inherited, ...env.staging },
    production: { name: `${name}-production`, main, ...inherited, ...env.production },
    none: { name, main, ...inherited, durable_objects, ratelimits },
  };
}
