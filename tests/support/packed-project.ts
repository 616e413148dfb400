// A project that has nothing but our packages and what they depend on, as a user would get them from the registry.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/launch.ts';

const run = promisify(execFile);

/** A folder with the packages in its `node_modules`. */
export type PackedProject = Awaited<ReturnType<typeof makePackedProject>>;

/** A package.json, as far as it is read here. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Packs packages and unpacks them in a new folder, with those of ours that they depend on. They must be built. Whatever else the
 * project needs, it finds in the `node_modules` of `below`.
 */
export async function makePackedProject(names: readonly string[], below: string = tmpdir()) {
  const folder = await mkdtemp(join(below, 'innkeep-project-'));
  /** Saves the project's files: text by path. */
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  await write({ 'package.json': '{ "private": true, "type": "module" }\n' });
  for (const name of names) await unpack(name, join(folder, 'node_modules'));
  return { folder, write, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

async function unpack(name: string, modules: string): Promise<void> {
  const target = join(modules, '@innkeep', name);
  if ((await readdir(target).catch(() => [])).length > 0) return;
  await mkdir(target, { recursive: true });
  const source = join(ROOT, 'packages', name);
  const tarball = join(modules, `${name}.tgz`);
  await run('pnpm', ['pack', '--out', tarball], { cwd: source });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  await rm(tarball);
  for (const dependency of await dependenciesOf(target)) {
    const [, ours] = /^@innkeep\/(.+)$/.exec(dependency) ?? [];
    if (ours === undefined) await copy(join(source, 'node_modules', dependency), dependency, modules);
    else await unpack(ours, modules);
  }
}

/** Copied, not linked: a link would lead back into the workspace. What it depends on, pnpm has put beside it. */
async function copy(from: string, name: string, modules: string): Promise<void> {
  const target = join(modules, name);
  if ((await readdir(target).catch(() => [])).length > 0) return;
  const source = await realpath(from);
  await mkdir(dirname(target), { recursive: true });
  await run('cp', ['-R', source, target]);
  for (const dependency of await dependenciesOf(source))
    await copy(join(source.slice(0, -name.length), dependency), dependency, modules);
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  return Object.keys(dependencies ?? {});
}
