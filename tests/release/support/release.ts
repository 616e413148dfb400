/** A release, rehearsed in a copy of the repository: versions from the changesets, tarballs, and a registry that has them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/launch.ts';
import { type NpmEnvironment, runNpm } from './npm.ts';

const run = promisify(execFile);

const LEFT_OUT = new Set(['node_modules', '.turbo', '.wrangler', '.innkeep', 'bench', 'test', 'coverage']);

/** What every package shall say about where it comes from. */
export const ADDRESSES = {
  repository: 'https://git.example/innkeep.git',
  homepage: 'https://innkeep.example',
  bugs: 'https://innkeep.example/bugs',
  funding: 'https://innkeep.example/funding',
};

/** A package.json as it is published. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly repository?: { readonly url: string; readonly directory: string };
  readonly homepage?: string;
  readonly bugs?: string;
  readonly funding?: string;
  readonly preferUnplugged?: boolean;
}

export type Release = Awaited<ReturnType<typeof makeRelease>>;

/** Makes the copy, the versions and the tarballs in a folder that is not there yet. The packages must be built. */
export async function makeRelease(folder: string) {
  const copy = join(folder, 'copy');
  await mkdir(copy, { recursive: true });
  for (const name of [
    '.changeset',
    'scripts',
    'packages',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    '.pnpmfile.mjs',
    'LICENSE',
  ])
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown> & {
    readonly scripts: Readonly<Record<string, string>>;
  };
  await writeFile(join(copy, 'package.json'), JSON.stringify({ ...root, ...ADDRESSES }));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // The commit of a release has used its changesets up, and its versions are the ones to publish.
  const changed = (await readdir(join(copy, '.changeset'))).some((name) => name.endsWith('.md'));
  if (changed) await makeVersions(copy, root.scripts['version-packages'] ?? '');
  await linkPackages(copy);
  const out = join(folder, 'tarballs');
  await mkdir(out);
  // As .github/workflows/release.yml does it.
  await run('pnpm', ['--recursive', '--filter', './packages/*', 'pack', '--out', `${out}/%s-%v.tgz`], { cwd: copy });
  const tarballs = (await readdir(out)).map((name) => join(out, name));
  const manifests = await Promise.all(
    tarballs.map(async (tarball): Promise<Manifest> => {
      const { stdout } = await run('tar', ['-xOzf', tarball, 'package/package.json']);
      return JSON.parse(stdout) as Manifest;
    }),
  );
  return {
    /** Of every package, by its name. */
    manifests: new Map(manifests.map((manifest) => [manifest.name, manifest])),
    tarballs,
    /** The copy's file, as text. */
    read: (path: string) => readFile(join(copy, path), 'utf8'),
  };
}

/** Turns the changesets into versions and changelogs, which name the commits that the changesets came with. */
async function makeVersions(copy: string, command: string): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@innkeep.example', ...args], { cwd: copy });
  await git('init', '--quiet');
  await git('add', '.changeset', 'package.json');
  await git('commit', '--quiet', '--no-verify', '--no-gpg-sign', '--message', 'rehearsal');
  await run('sh', ['-c', command], { cwd: copy });
}

/** Where pnpm looks for the version that `workspace:` stands for. */
async function linkPackages(copy: string): Promise<void> {
  const folders = await readdir(join(copy, 'packages'));
  const manifests = new Map<string, Manifest>();
  for (const folder of folders)
    manifests.set(
      folder,
      JSON.parse(await readFile(join(copy, 'packages', folder, 'package.json'), 'utf8')) as Manifest,
    );
  const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));
  for (const [folder, { dependencies, devDependencies }] of manifests) {
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const target = folderOf.get(name);
      if (target === undefined) continue;
      const link = join(copy, 'packages', folder, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(copy, 'packages', target), link);
    }
  }
}

/** Sends the tarballs to the registry, as npm sends them to its own. */
export async function publish(
  { tarballs }: Release,
  {
    registry,
    environment,
    cwd,
  }: { readonly registry: string; readonly environment: NpmEnvironment; readonly cwd: string },
): Promise<void> {
  // npm sends nothing without a token; this registry takes any.
  const token = `--${registry.replace(/^http:/, '')}:_authToken=rehearsal`;
  for (const tarball of tarballs)
    await runNpm(['publish', tarball, '--access', 'public', '--registry', registry, token], { cwd, environment });
}
