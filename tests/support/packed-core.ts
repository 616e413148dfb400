// A project that has nothing but the packed package and its dependencies, as a user would get them from the registry.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORE = join(ROOT, 'packages/core');

/** A folder with `node_modules/@innkeep/core` from the tarball. */
export interface PackedProject {
  folder: string;
  remove(): void;
}

/** Packs `@innkeep/core` and installs it into a new folder. The package must be built. */
export function installPackedCore(): PackedProject {
  const folder = mkdtempSync(join(tmpdir(), 'innkeep-packed-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@innkeep'), { recursive: true });
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: CORE, stdio: 'pipe' });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('pnpm pack made no tarball.');
  execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  cpSync(join(folder, 'package'), join(modules, '@innkeep/core'), { recursive: true });
  for (const dependency of ['ky', 'valibot', '@rgrove/parse-xml']) {
    // Copied, not linked: a link would lead back into the workspace.
    cpSync(realpathSync(join(CORE, 'node_modules', dependency)), join(modules, dependency), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
