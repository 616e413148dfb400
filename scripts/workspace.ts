// Prevents: every check having its own idea of which files and packages belong to the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's root folder. */
export const ROOT: string = join(import.meta.dirname, '..');

/** The parts of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** One folder of packages/ or apps/. `folder` is relative to the root, with forward slashes. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every workspace package, packages/ first. */
export function workspacePackages(root: string = ROOT): readonly WorkspacePackage[] {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, parent, entry.name, 'package.json')))
      .map((entry) => `${parent}/${entry.name}`)
      .sort()
      .map((folder) => ({ folder, manifest: readJson(join(root, folder, 'package.json')) as Manifest })),
  );
}

/** The packages that are published to npm. */
export function publicPackages(root: string = ROOT): readonly WorkspacePackage[] {
  return workspacePackages(root).filter(({ manifest }) => manifest.private !== true);
}

/**
 * Files git knows or would accept, relative to the root: what a commit of this tree would contain.
 * Files that are staged as deleted, or gone from disk, are left out.
 */
export function repositoryFiles(root: string = ROOT): readonly string[] {
  const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(output.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file))).sort();
}

/** Text of one repository file. */
export function readText(file: string, root: string = ROOT): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Parsed JSON of a file. The caller knows its shape. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** TypeScript and JavaScript sources, generated files excluded. */
export function isSourceFile(file: string): boolean {
  return /\.(ts|tsx|js|mjs)$/.test(file) && !file.endsWith('.d.ts');
}
