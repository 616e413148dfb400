/** Writes a project: the files of its layers, and one package.json of them all. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEMPLATES, type TemplateName, type What } from './templates.ts';

/** What to write, and where. */
export interface ProjectOptions {
  /** Absolute path of a folder that does not exist, or is empty. */
  readonly folder: string;
  readonly template: TemplateName;
  readonly what: What;
  /** Whether pnpm will install it, 11 or later. */
  readonly isForStrictPnpm?: boolean;
}

/** The installation of pnpm 11 and later fails until somebody has decided about each script of a package. None of these is needed. */
const PNPM_WORKSPACE = `allowBuilds:
  esbuild: false
  workerd: false
`;

// Both src/ and dist/ are beside these.
const PACKAGE = join(import.meta.dirname, '..');
const FOLDER_OF_TEMPLATES = join(PACKAGE, 'templates');

/** Why a project cannot go there, in one sentence or two; undefined when it can. */
export function whyNotThere(folder: string): string | undefined {
  try {
    if (readdirSync(folder).every((name) => name === '.git')) return undefined;
    return `${folder} is not empty. Name a new folder, or empty this one.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const reason = code === 'ENOTDIR' ? 'is a file, or inside one' : `cannot be used (${code})`;
    return `${folder} ${reason}. Name a new folder.`;
  }
}

/** Writes the project. @throws Error with what {@link whyNotThere} says */
export function createProject({ folder, template, what, isForStrictPnpm = false }: ProjectOptions): void {
  const reason = whyNotThere(folder);
  if (reason !== undefined) throw new Error(reason);
  if (what !== 'proxy') writeLayers(folder, TEMPLATES[template].layers);
  if (what === 'proxy') writeLayers(folder, ['proxy']);
  if (what === 'both') writeLayers(join(folder, 'proxy'), ['proxy']);
  if (!isForStrictPnpm) return;
  const folders = what === 'both' ? [folder, join(folder, 'proxy')] : [folder];
  for (const each of folders) writeFileSync(join(each, 'pnpm-workspace.yaml'), PNPM_WORKSPACE);
}

function writeLayers(folder: string, layers: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  let manifest: Manifest = { name: packageName(folder) };
  for (const layer of layers) {
    const from = join(FOLDER_OF_TEMPLATES, layer);
    cpSync(from, folder, { recursive: true });
    // npm leaves a .gitignore out of every package.
    if (existsSync(join(folder, '_gitignore'))) {
      cpSync(join(folder, '_gitignore'), join(folder, '.gitignore'));
      rmSync(join(folder, '_gitignore'));
    }
    const file = join(from, 'package.json');
    if (existsSync(file)) manifest = merge(manifest, JSON.parse(readFileSync(file, 'utf8')) as Manifest);
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(withVersions(manifest), null, 2)}\n`);
}

type Manifest = { readonly [field: string]: string | boolean | Manifest };

/** The later of two descriptions of a package wins; their dependencies and scripts are merged. */
function merge(earlier: Manifest, later: Manifest): Manifest {
  const merged: Record<string, string | boolean | Manifest> = { ...earlier };
  for (const [field, value] of Object.entries(later)) {
    const known = merged[field];
    merged[field] = typeof known === 'object' && typeof value === 'object' ? merge(known, value) : value;
  }
  return merged;
}

/** Our own packages, in the versions that were released with this one. */
function withVersions(manifest: Manifest): Manifest {
  const { devDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const versionOf = (name: string, written: string): string => {
    const known = devDependencies[name] ?? '';
    if (!name.startsWith('@innkeep/')) return written;
    // In a clone of the repository nothing has a version yet.
    return known === '' || known.startsWith('workspace:') ? 'latest' : known;
  };
  const fields = ['dependencies', 'devDependencies'].flatMap((field) => {
    const named = manifest[field];
    if (typeof named !== 'object') return [];
    const entries = Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
    return [[field, Object.fromEntries(entries.map(([name, written]) => [name, versionOf(name, String(written))]))]];
  });
  return { ...manifest, ...(Object.fromEntries(fields) as Manifest) };
}

/** A name that npm accepts, made from the folder's name. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'hotel-site' : name;
}
