// Prevents: a package that works in this repository and is broken for everybody who installs it: files left out or left in,
// addresses of the workspace in its manifest, exports or types that other tools cannot resolve.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import { inParallel, runCommand } from './run-command.ts';
import { type Manifest, publicPackages, ROOT, type WorkspacePackage } from './workspace.ts';

/** What is wrong with a packed package. `files` are its paths, without the leading `package/`. */
export function findTarballProblems(folder: string, manifest: Manifest, files: readonly string[]): readonly Problem[] {
  const file = `${folder}/package.json`;
  const present = new Set(files);
  const targets = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})].map((target) =>
    target.replace(/^\.\//, ''),
  );
  const missing = ['README.md', 'LICENSE', ...targets].filter((target) =>
    target.includes('*')
      ? !files.some((path) => path.startsWith(target.slice(0, target.indexOf('*'))))
      : !present.has(target),
  );
  const unwanted = files.filter((path) =>
    /\.(?:test|test-d)\.|\.tsbuildinfo$|(?:^|\/)(?:test|test-support|bench)\/|(?:^|\/)\.|\.env$/.test(path),
  );
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([, range]) =>
    /^(?:workspace|catalog|link|file):/.test(range),
  );
  // The compiler never deletes: what a removed or renamed source left behind in dist would be published. A map of declarations
  // beside a file says that the compiler made it.
  const leftOver = files.filter((path) => {
    const [, name] = /^dist\/(.+)\.js$/.exec(path) ?? [];
    return name !== undefined && present.has(`dist/${name}.d.ts.map`) && !present.has(`src/${name}.ts`);
  });
  return [
    ...leftOver.map((path) => ({
      file,
      message: `${path} has no source any more: rm -rf packages/*/dist && npx pnpm build --force`,
    })),
    ...missing.map((path) => ({ file, message: `${path} is not in the package` })),
    ...unwanted.map((path) => ({ file, message: `${path} does not belong into the package: see "files"` })),
    ...ranges.map(([name, range]) => ({ file, message: `${name} is published as ${range}` })),
  ];
}

/** attw looks at no member of a pattern like `./operations/*` unless it is told to, and at files without types although it should not. */
export function entryPointOptions(manifest: Manifest, files: readonly string[]): readonly string[] {
  const members = Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const [before = '', after] = target.replace(/^\.\//, '').split('*');
    if (after === undefined) return [];
    return files
      .filter(
        (file) =>
          file.startsWith(before) &&
          file.endsWith(after) &&
          file.endsWith('.js') &&
          files.includes(file.replace(/\.js$/, '.d.ts')),
      )
      .map((file) => subpath.replace('*', file.slice(before.length, file.length - after.length)));
  });
  return members.length === 0 ? [] : ['--include-entrypoints', ...members];
}

async function inspect({ folder }: WorkspacePackage, destination: string): Promise<readonly Problem[]> {
  const file = `${folder}/package.json`;
  const fail = (tool: string, output: string): readonly Problem[] => [{ file, message: `${tool}:\n${output}` }];

  const packed = await runCommand(['pnpm', 'pack', '--json', '--pack-destination', destination], {
    cwd: join(ROOT, folder),
  });
  const json = packed.output.slice(packed.output.indexOf('{'), packed.output.lastIndexOf('}') + 1);
  if (packed.code !== 0 || json === '') return fail('pnpm pack', packed.output);
  const { filename } = JSON.parse(json) as { filename: string };

  const [listing, packedManifest] = await Promise.all([
    runCommand(['tar', '-tzf', filename]),
    runCommand(['tar', '-xzOf', filename, 'package/package.json']),
  ]);
  const files = listing.output.split('\n').map((path) => path.replace(/^package\//, ''));
  const manifest = JSON.parse(packedManifest.output) as Manifest;
  const resolution = ['attw', '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', filename];
  const [publint, attw] = await Promise.all([
    runCommand(['publint', '--strict', filename]),
    // A package that is only a command has nothing to import.
    manifest.exports === undefined ? undefined : runCommand([...resolution, ...entryPointOptions(manifest, files)]),
  ]);
  return [
    ...findTarballProblems(folder, manifest, files),
    ...(publint.code === 0 ? [] : fail('publint', publint.output)),
    ...(attw === undefined || attw.code === 0 ? [] : fail('attw', attw.output)),
  ];
}

if (import.meta.main) {
  const destination = mkdtempSync(join(tmpdir(), 'innkeep-pack-'));
  try {
    const packages = publicPackages();
    const problems = await inParallel(
      availableParallelism(),
      packages.map((each) => () => inspect(each, destination)),
    );
    reportProblems(
      problems.flat(),
      'Repair "exports" and "files" in the package.json.',
      `${packages.length} packed packages`,
    );
  } finally {
    rmSync(destination, { recursive: true, force: true });
  }
}
