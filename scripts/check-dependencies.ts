// Prevents: a run-time dependency that slipped in. Every one is code from strangers beside a hotel's credentials, or bytes on a
// guest's phone, so each is decided on (docs/decisions) and listed here; and every version is exact, so that two installs are equal.
import { type Problem, reportProblems } from './report-problems.ts';
import { type Manifest, readJson, workspacePackages } from './workspace.ts';

/** Run-time dependencies that were decided on. */
export const DECIDED: Readonly<Record<string, readonly string[]>> = {
  '@innkeep/cli': ['@clack/prompts', '@innkeep/core', 'commander', 'valibot'],
  '@innkeep/core': ['@rgrove/parse-xml', 'valibot'],
  '@innkeep/edge-proxy': ['@innkeep/core', 'hono', 'lean-qr', 'valibot'],
  '@innkeep/sandbox': ['@hono/node-server', 'hono'],
  '@innkeep/widgets': ['@innkeep/core', 'lit'],
};

/** Undecided run-time dependencies of published packages, and ranges where an exact version belongs. */
export function findDependencyProblems(
  file: string,
  manifest: Manifest,
  decided: Readonly<Record<string, readonly string[]>>,
): readonly Problem[] {
  const runtime = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
  const allowed = decided[manifest.name] ?? [];
  const undecided = manifest.private === true ? [] : runtime.filter(([name]) => !allowed.includes(name));
  const loose = [
    ...Object.entries(manifest.dependencies ?? {}),
    ...Object.entries(manifest.devDependencies ?? {}),
  ].filter(([, version]) => !/^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|catalog:|workspace:[\^*])$/.test(version));
  return [
    ...undecided.map(([name]) => ({ file, message: `${name} is a run-time dependency that nobody decided on` })),
    ...loose.map(([name, version]) => ({ file, message: `${name} ${version}: write an exact version, or catalog:` })),
  ];
}

if (import.meta.main) {
  const manifests = [
    ...['package.json', 'tests/docs/package.json'].map((file) => ({ file, manifest: readJson(file) as Manifest })),
    ...workspacePackages().map(({ folder, manifest }) => ({ file: `${folder}/package.json`, manifest })),
  ];
  reportProblems(
    manifests.flatMap(({ file, manifest }) => findDependencyProblems(file, manifest, DECIDED)),
    'A new run-time dependency needs a record in docs/decisions: what it saves, its size, its own dependencies, how to leave it.',
    `${manifests.length} manifests`,
  );
}
