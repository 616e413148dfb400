/** Projects outside of the workspace, with the packages as they will be published. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/launch.ts';

const run = promisify(execFile);

/** A name of the registry and its exact version: a release of theirs cannot break ours. */
export type Versions = Readonly<Record<string, string>>;

/** Packs some of our packages and installs them with others, one project for each folder below `root`. They must be built. */
export async function installProjects(
  root: string,
  ours: readonly string[],
  projects: Readonly<Record<string, Versions>>,
): Promise<void> {
  const packed = Object.fromEntries(
    await Promise.all(ours.map(async (name) => [`@innkeep/${name}`, `file:${await pack(root, name)}`] as const)),
  );
  for (const [folder, dependencies] of Object.entries(projects)) {
    const manifest = { name: `site-${folder}`, private: true, type: 'module' };
    write(
      join(root, folder, 'package.json'),
      JSON.stringify({ ...manifest, dependencies: { ...dependencies, ...packed } }),
    );
  }
  // Unpublished, our packages must find each other as they were packed.
  const overrides = Object.entries(packed).map(([name, file]) => `  '${name}': '${file}'\n`);
  const packages = Object.keys(projects).map((folder) => `  - '${folder}'\n`);
  write(
    join(root, 'pnpm-workspace.yaml'),
    `packages:\n${packages.join('')}pmOnFail: ignore\noverrides:\n${overrides.join('')}`,
  );
  write(join(root, 'package.json'), '{ "name": "sites", "private": true }');
  await run('pnpm', ['install', '--ignore-scripts', '--prefer-offline', '--no-frozen-lockfile'], { cwd: root });
}

/** Runs a tool of a project, as its scripts would. */
export async function runTool(folder: string, command: readonly string[], env: object = {}): Promise<void> {
  const [tool = '', ...options] = command;
  try {
    await run(join(folder, 'node_modules/.bin', tool), options, {
      cwd: folder,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1', NODE_ENV: undefined, ...env },
    });
  } catch (error) {
    // What execFile rejects with.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}

/** Writes a file and the folders above it. */
export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function pack(root: string, name: string): Promise<string> {
  const target = join(root, 'tarballs', name);
  mkdirSync(target, { recursive: true });
  await run('pnpm', ['pack', '--pack-destination', target], { cwd: join(ROOT, 'packages', name) });
  const [tarball] = readdirSync(target);
  if (tarball === undefined) throw new Error(`pnpm pack made no tarball of ${name}.`);
  return join(target, tarball);
}
