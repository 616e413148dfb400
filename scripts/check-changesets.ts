// Prevents: a change that users can notice and that no changelog tells them about.
import { execFileSync } from 'node:child_process';
import { type Problem, reportProblems } from './report-problems.ts';
import { publicPackages, ROOT, readText, repositoryFiles, type WorkspacePackage } from './workspace.ts';

/** A pending changeset file. */
export interface ChangesetFile {
  readonly file: string;
  readonly text: string;
}

/**
 * `changed` are the files that differ from the base branch. A package whose shipped sources are among them, or that was never
 * released, needs a changeset; every changeset must name packages that exist and say something.
 */
export function findChangesetProblems(
  packages: readonly WorkspacePackage[],
  changesets: readonly ChangesetFile[],
  changed: readonly string[],
): readonly Problem[] {
  const problems: Problem[] = [];
  const announced = new Set<string>();
  for (const { file, text } of changesets) {
    const [, head, body = ''] = /^---\r?\n([\s\S]*?)---\r?\n?([\s\S]*)$/.exec(text) ?? [];
    if (head === undefined) {
      problems.push({ file, message: 'has no front matter: --- then "package": minor, then ---' });
      continue;
    }
    const rows = head.split(/\r?\n/).filter((row) => row.trim() !== '');
    // An empty changeset says on purpose that nothing is shipped.
    if (rows.length > 0 && body.trim() === '')
      problems.push({ file, message: 'says nothing: write what changed and what users have to do' });
    for (const row of rows) {
      const [, name, bump] = /^\s*["']?([^"':\s]+)["']?\s*:\s*(\w+)\s*$/.exec(row) ?? [];
      if (!packages.some(({ manifest }) => manifest.name === name))
        problems.push({ file, message: `names ${name ?? row.trim()}, which is no published package` });
      else if (!/^(?:major|minor|patch)$/.test(bump ?? ''))
        problems.push({ file, message: `"${bump}" is not major, minor or patch` });
      else announced.add(name ?? '');
    }
  }
  const saysNothingShips = changesets.some(
    ({ file, text }) => changed.includes(file) && /^---\s*---\s*$/.test(text.trim().slice(0, 16)),
  );
  for (const { folder, manifest } of packages) {
    if (announced.has(manifest.name)) continue;
    const file = `${folder}/package.json`;
    if (manifest.version === '0.0.0')
      problems.push({ file, message: `${manifest.name} was never released and no changeset announces it` });
    else if (!saysNothingShips && changed.some((path) => isShipped(path, folder)))
      problems.push({ file, message: `${manifest.name} changed and no changeset says so` });
  }
  return problems;
}

function isShipped(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/src/`) && !/\.(?:test|test-d)\.ts$/.test(path);
}

/** Files changed since the base branch; none when there is no base to compare with, as in a shallow clone. */
function changedFiles(): readonly string[] {
  for (const base of ['origin/main', 'main']) {
    try {
      const output = execFileSync('git', ['diff', '--name-only', `${base}...HEAD`], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return output.split('\n').filter((file) => file !== '');
    } catch {
      // That branch is not here: try the next.
    }
  }
  return [];
}

if (import.meta.main) {
  const changesets = repositoryFiles()
    .filter((file) => /^\.changeset\/[^/]+\.md$/.test(file) && !file.endsWith('/README.md'))
    .map((file) => ({ file, text: readText(file) }));
  reportProblems(
    findChangesetProblems(publicPackages(), changesets, changedFiles()),
    'Write one with `npx pnpm changeset`, for users: what changed, what to do. Nothing shipped? `npx pnpm changeset --empty`.',
    `${changesets.length} pending changesets`,
  );
}
