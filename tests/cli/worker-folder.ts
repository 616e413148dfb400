import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
