// Prevents: a subpath that is documented but cannot be imported, exported but not built, or shipped but documented nowhere.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { type Manifest, publicPackages, ROOT, readText, repositoryFiles } from './workspace.ts';

/** A package as this check sees it. */
export interface ExportingPackage {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Files that exist after the build, relative to the package: `./dist/index.js`. */
  readonly builtFiles: ReadonlySet<string>;
}

/** A documentation text, path relative to the root. */
export interface Document {
  readonly file: string;
  readonly text: string;
}

/** Compares the three: exports maps, built files, and the subpaths that documents name. */
export function findExportProblems(
  packages: readonly ExportingPackage[],
  documents: readonly Document[],
): readonly Problem[] {
  return [
    ...packages.flatMap((each) => findUnbuilt(each)),
    ...packages.flatMap((each) => findUndocumented(each, documents)),
    ...findUnknown(packages, documents),
  ];
}

/** Targets of exports and bin that no file stands behind, and JavaScript without declarations. */
function findUnbuilt({ folder, manifest, builtFiles }: ExportingPackage): readonly Problem[] {
  const file = `${folder}/package.json`;
  const targets = [...Object.entries(manifest.exports ?? {}), ...Object.entries(manifest.bin ?? {})];
  return targets.flatMap(([subpath, target]) => {
    const matches = [...builtFiles].filter((built) => patternOf(target).test(built));
    if (matches.length === 0)
      return [{ file, message: `"${subpath}" points at ${target}, which the build does not make` }];
    return matches
      .filter(
        (built) =>
          // What stands in bin/ is run, never imported, and is committed: package managers link it before any build.
          built.endsWith('.js') &&
          !/^\.\/bin\/|\/cdn\//.test(built) &&
          !builtFiles.has(built.replace(/\.js$/, '.d.ts')),
      )
      .map((built) => ({ file, message: `"${subpath}" offers ${built} without its .d.ts` }));
  });
}

/** Subpaths that the package's README does not name. For a pattern, naming one of its members is enough. */
function findUndocumented({ folder, manifest }: ExportingPackage, documents: readonly Document[]): readonly Problem[] {
  const file = `${folder}/README.md`;
  const readme = documents.find((document) => document.file === file)?.text;
  if (readme === undefined) return [{ file, message: `${manifest.name} has no README` }];
  const named = namedSpecifiers(readme).map(({ specifier }) => specifier);
  return Object.keys(manifest.exports ?? {})
    .filter((subpath) => subpath !== './package.json')
    .map((subpath) => `${manifest.name}${subpath.slice(1)}`)
    .filter((specifier) => !named.some((name) => patternOf(specifier).test(name)))
    .map((specifier) => ({ file, message: `does not say what ${specifier} is for` }));
}

/** Subpaths in documents that no package exports. */
function findUnknown(packages: readonly ExportingPackage[], documents: readonly Document[]): readonly Problem[] {
  return documents.flatMap(({ file, text }) =>
    namedSpecifiers(text).flatMap(({ specifier, offset }) => {
      const owner = packages.find(
        ({ manifest }) => specifier === manifest.name || specifier.startsWith(`${manifest.name}/`),
      );
      if (owner === undefined) return [];
      // A server reads files where they were installed: there the path counts, not what may be imported.
      if (text.slice(0, offset).endsWith('node_modules/')) {
        const path = `.${specifier.slice(owner.manifest.name.length)}`;
        const isThere = [...owner.builtFiles].some((built) => built === path || built.startsWith(`${path}/`));
        if (isThere) return [];
      }
      // `@innkeep/core/operations/*` in prose means the pattern itself.
      const isExported = Object.entries(owner.manifest.exports ?? {}).some(([subpath, target]) => {
        const own = `${owner.manifest.name}${subpath.slice(1)}`;
        if (specifier === own) return true;
        const member = patternOf(own).exec(specifier)?.[1];
        return member !== undefined && owner.builtFiles.has(target.replace('*', member));
      });
      // A package that is only run, like a command, exports nothing and is named all the same.
      const isBareCommand = specifier === owner.manifest.name && owner.manifest.bin !== undefined;
      if (isExported || isBareCommand) return [];
      return [
        {
          file,
          line: lineAt(text, offset),
          message: `names ${specifier}, which ${owner.manifest.name} does not export`,
        },
      ];
    }),
  );
}

function namedSpecifiers(text: string): readonly { readonly specifier: string; readonly offset: number }[] {
  return [...text.matchAll(/@innkeep\/[a-z0-9-]+(?:\/[a-z0-9*.-]*[a-z0-9*])*/g)].map((match) => ({
    specifier: match[0],
    offset: match.index,
  }));
}

function patternOf(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '(.+)')}$`);
}

if (import.meta.main) {
  const packages = publicPackages().map(({ folder, manifest }) => {
    const cwd = join(ROOT, folder);
    const inRoot = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})].filter((target) =>
      existsSync(join(cwd, target)),
    );
    const inDist = globSync('dist/**/*.*', { cwd }).map((file) => `./${file}`);
    return { folder, manifest, builtFiles: new Set([...inDist, ...inRoot]) };
  });
  const documents = repositoryFiles()
    .filter((file) => file.endsWith('.md') && !file.endsWith('CHANGELOG.md') && !file.startsWith('.changeset/'))
    .map((file) => ({ file, text: readText(file) }));
  reportProblems(
    findExportProblems(packages, documents),
    'Make exports in package.json, the sources and the README say the same.',
    `${packages.length} packages against ${documents.length} documents`,
  );
}
