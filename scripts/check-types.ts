// Prevents: tests, scripts and configuration files that nobody type-checks because only shipped sources are built.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inParallel, runCommand } from './run-command.ts';
import { ROOT, workspacePackages } from './workspace.ts';

/** Every project outside the build: one for the root's scripts and tests, one per package for its tests. */
export function testProjects(root: string = ROOT): readonly string[] {
  return ['.', ...workspacePackages(root).map(({ folder }) => folder)]
    .map((folder) => (folder === '.' ? 'tsconfig.test.json' : `${folder}/tsconfig.test.json`))
    .filter((project) => existsSync(join(root, project)));
}

if (import.meta.main) {
  const projects = testProjects();
  const commands = [['tsc', '-b'], ...projects.map((project) => ['tsc', '-p', project, '--noEmit'])];
  const results = await inParallel(
    availableParallelism(),
    commands.map((command) => async () => ({ command, ...(await runCommand(command)) })),
  );
  for (const { command, code, output } of results) {
    if (code === 0) continue;
    console.log(`${command.join(' ')}\n${output}\n`);
    process.exitCode = 1;
  }
  if (process.exitCode === undefined) console.log(`sources and ${projects.length} test projects`);
}
