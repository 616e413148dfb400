// A suite whose inputs lack a file that it reads would be told the result from before that file changed.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

interface Task {
  readonly taskId: string;
  readonly directory: string;
  readonly command: string;
  readonly inputs: Readonly<Record<string, string>>;
}

const turbo = join(ROOT, 'node_modules/.bin/turbo');
const { tasks } = JSON.parse(
  execFileSync(turbo, ['run', 'test', 'test:outer', '--dry=json'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  }),
) as { readonly tasks: readonly Task[] };

/** A path that leads up from the file that names it, or one that begins at the root; and what globs look for there. */
const PATH = /(?<!writeFile.*)(['"`])((?:\.\.\/)+|(?=docs\/)|(?<=\bROOT, .))([\w./*{},$()-]+\.\w+)\1/g;
const GLOB = /globSync\(([^;]*?)cwd: ROOT\b/gs;
const QUOTED = /(['"`])(.+?)\1/g;
/** All of a package but its tests belongs to its build, on which the tests of its users depend. */
const OF_BUILD = /^(packages|apps)\/[\w-]+\/(?!test|bench)/;

/** Files of others that the tests of a folder name. */
function filesOfOthers(folder: string): string[] {
  const suites = globSync(
    ['**/*.test.ts', 'test/**/*.ts', 'test-support/**/*.ts', ...(folder.startsWith('tests/') ? ['*.ts'] : [])],
    {
      cwd: join(ROOT, folder),
      exclude: ['**/node_modules/**', 'dist/**'],
    },
  );
  const named = suites.flatMap((file) => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8');
    const paths = [...text.matchAll(PATH)].map(([, , up = '', path = '']) =>
      join(up === '' ? '' : dirname(join(folder, file)), up, path.replace(/\$\{[^}]*\}/g, '*')),
    );
    const globs = [...text.matchAll(GLOB)].flatMap(([, globs = '']) => [...globs.matchAll(QUOTED)]);
    return [...paths, ...globs.map(([, , glob = '']) => glob)];
  });
  return globSync([...new Set(named)], { cwd: ROOT }).filter(
    (file) => !file.startsWith(`${folder}/`) && !OF_BUILD.test(file),
  );
}

test('every file that a suite reads is one of its inputs', () => {
  const missing = tasks
    .filter(({ taskId, command }) => /#test(:outer)?$/.test(taskId) && command !== '<NONEXISTENT>')
    .flatMap(({ taskId, directory, inputs }) =>
      filesOfOthers(directory)
        .filter((file) => !(relative(directory, file) in inputs))
        .map((file) => `${taskId}: ${file}`),
    );
  expect(missing).toEqual([]);
});
