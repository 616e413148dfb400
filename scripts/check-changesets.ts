// Prevents: a change that users can notice and that no changelog tells them about. Compares with the branch it will be merged into.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' });
const base = ['origin/main', 'main'].find((ref) => git('rev-parse', '--verify', '--quiet', ref).status === 0);

/** A release has used up the changesets, and raised versions instead. */
function isRelease(since: string): boolean {
  const { stdout } = git('diff', since, '--', 'packages/*/package.json');
  return globSync('.changeset/*.md').length === 0 && /^\+ {2}"version": /m.test(stdout);
}

if (base === undefined) console.log('There is no main to compare with.');
else if (isRelease(base)) console.log('A release: its changelogs tell what changed.');
else {
  process.exitCode = spawnSync('changeset', ['status', '--since', base], { stdio: 'inherit' }).status ?? 1;
  if (process.exitCode !== 0) console.log('Here, `changeset add` is `npx pnpm changeset`.');
}
