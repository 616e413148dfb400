// Prevents: an operation that the client offers and nobody tested, documented or simulated.
import { basename } from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import { repositoryFiles } from './workspace.ts';

/** What each operation of core has beside its source. */
const COMPANIONS: Readonly<Record<string, (name: string) => string>> = {
  'a test': (name) => `packages/core/src/operations/${name}.test.ts`,
  'a page about what the specification says and leaves open': (name) => `docs/upstream/${name}.md`,
  'an endpoint in the sandbox': (name) => `packages/sandbox/src/endpoints/${name}.ts`,
};

/** Companions that are missing on purpose: file → reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'docs/upstream/call.md':
    '`call` is the way to an operation that has no function yet; there is nothing to say about it',
  'packages/sandbox/src/endpoints/call.ts': 'the same',
};

/** Compares core's operations with their companions, in both directions. `files` are paths relative to the root. */
export function findParityProblems(
  files: readonly string[],
  exceptions: Readonly<Record<string, string>>,
): readonly Problem[] {
  const known = new Set(files);
  const operations = files.filter((file) =>
    /^packages\/core\/src\/operations\/[^/]+(?<!\.test|\.test-d)\.ts$/.test(file),
  );
  const missing = operations.flatMap((file) =>
    Object.entries(COMPANIONS).flatMap(([what, pathOf]) => {
      const companion = pathOf(basename(file, '.ts'));
      return known.has(companion) || companion in exceptions
        ? []
        : [{ file, message: `has not ${what}: ${companion}` }];
    }),
  );
  const stale = Object.keys(exceptions)
    .filter((file) => known.has(file))
    .map((file) => ({
      file,
      message: 'exists, and is still listed as an exception in scripts/check-operation-parity.ts',
    }));
  const none =
    operations.length === 0
      ? [{ file: 'packages/core/src/operations', message: 'has no operation: was the folder moved?' }]
      : [];
  return [...missing, ...stale, ...none];
}

if (import.meta.main) {
  const files = repositoryFiles();
  reportProblems(
    findParityProblems(files, EXCEPTIONS),
    'Make the missing file (`node scripts/new.ts operation <name>` shows all of them), or list an exception with its reason.',
    'every operation has its test, page and endpoint',
  );
}
