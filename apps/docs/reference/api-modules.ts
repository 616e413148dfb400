/** Every subpath of the packages that can be imported, and the source file behind it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/workspace.ts';

/** One importable module. */
export interface ApiModule {
  /** What a program writes: `@innkeep/core/errors`. */
  readonly specifier: string;
  /** Source, relative to the repository's root. */
  readonly file: string;
  /** Path of its page. */
  readonly path: string;
  /** Whether a runtime loads it by its name, and no program imports it. */
  readonly isRuntimeEntry: boolean;
}

/** Where the pages of a package's subpaths are. `.` is the package itself. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>> | string>> = {
  core: 'reference/core',
  'edge-proxy': 'reference/edge-proxy',
  // The addresses of their other pages are taken: elements and the simulator's behaviour come first.
  sandbox: { '.': 'reference/sandbox/api', './worker': 'reference/sandbox/worker' },
  widgets: { '.': 'reference/widgets' },
};

/** The modules of all packages, in the order of their exports. Registration modules and assets export no name. */
export function apiModules(): readonly ApiModule[] {
  return Object.keys(PAGES).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')) as {
      name: string;
      exports: Record<string, string>;
    };
    return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
      const page = pageOf(folder, subpath);
      return page === undefined ? [] : membersOf({ folder, name: manifest.name, subpath, target, page });
    });
  });
}

function pageOf(folder: string, subpath: string): string | undefined {
  const pages = PAGES[folder];
  return typeof pages === 'string' ? join(pages, subpath) : pages?.[subpath];
}

/** One module, or all that a `*` stands for. */
function membersOf(entry: {
  readonly folder: string;
  readonly name: string;
  readonly subpath: string;
  readonly target: string;
  readonly page: string;
}): readonly ApiModule[] {
  const { folder, name, subpath, target, page } = entry;
  const source = target.replace('./dist/', `packages/${folder}/src/`).replace(/\.js$/, '.ts');
  const [before = '', after = ''] = source.split('*');
  return globSync(source, { cwd: ROOT })
    .filter((file) => !/\.test(-d)?\.ts$/.test(file))
    .sort()
    .map((file) => {
      const member = source.includes('*') ? file.slice(before.length, file.length - after.length) : '';
      return {
        specifier: join(name, subpath.replace('*', member)),
        file,
        path: page.replace('*', member),
        isRuntimeEntry: subpath.startsWith('./worker'),
      };
    });
}
