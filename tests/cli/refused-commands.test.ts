// What a reader pastes into a shell that does not stop at a failure: a command that is refused uploads nothing, and destroys no file that
// it was given.
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { allCommands, examplesOf } from './command-help.ts';
import { runCommandLine } from './run-innkeep.ts';
import { writePrograms } from './sandbox-hotel.ts';

const ROOT = new URL('../../', import.meta.url);
/** A command whose answer goes into a file or to another program. */
const PASSES_ON = /^ *innkeep [^\n#]*[>|]/m;

const folder = ownFolder();
await writePrograms(folder, { innkeep: 'exit 2', npx: '[ -n "$(cat)" ] || echo "Nothing was uploaded: $*"' });

/** Blocks of the guides and the README, and examples of help, where somebody goes on with an answer. */
async function scripts(): Promise<readonly string[]> {
  const guides = (await readdir(new URL('docs/guides', ROOT))).map((name) => `docs/guides/${name}`);
  const texts = await Promise.all(
    [...guides, 'packages/cli/README.md'].map((path) => readFile(new URL(path, ROOT), 'utf8')),
  );
  const blocks = texts.flatMap((text) => [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block));
  const examples = await Promise.all((await allCommands()).map(examplesOf));
  return [...blocks, ...examples.flat()].filter((script) => PASSES_ON.test(script));
}

it('no guide and no example goes on with what a refused command did not say', async () => {
  const all = await scripts();
  expect(all.length).toBeGreaterThan(5);
  for (const script of all) {
    // Nothing outside of the folder is touched.
    expect(script).not.toMatch(/[> ]\/(?!\/)/);
    const cwd = await mkdtemp(join(folder, 'reader-'));
    const given = join(cwd, /--from (\S+)/.exec(script)?.[1] ?? 'other');
    await mkdir(dirname(given), { recursive: true });
    await writeFile(given, 'the only copy');
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const { stdout } = await runCommandLine('bash', ['--norc', '-c', script], { cwd, env });
    expect([stdout, await readFile(given, 'utf8')], script).toEqual(['', 'the only copy']);
  }
});

it.each([
  ['cli/bin/innkeep.js', 'dist/main.js'],
  ['create-innkeep/bin/create-innkeep.js', 'dist/command-line.js'],
  ['edge-proxy/bin/innkeep-proxy.js', 'dist/runtime/serve-command-line.js'],
])('a Node that lacks what %s imports is told which one it needs', async (bin, main) => {
  const cwd = await mkdtemp(join(folder, 'older-node-'));
  const [program, imported] = [join(cwd, 'bin/program.js'), join(cwd, main)];
  for (const path of [program, imported]) await mkdir(dirname(path), { recursive: true });
  await copyFile(new URL(`packages/${bin}`, ROOT), program);
  await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
  await writeFile(imported, "import { nothingOfThisName } from 'node:util';\nexport const main = nothingOfThisName;\n");
  const { engines } = JSON.parse(await readFile(new URL('packages/cli/package.json', ROOT), 'utf8'));
  const { exitCode, stdout, stderr } = await runCommandLine(process.execPath, [program], { cwd });
  expect(exitCode).toBeGreaterThan(0);
  expect([stdout, stderr]).toEqual([
    '',
    `Node ${engines.node.slice(2)} or newer is needed, and this is ${process.version}: ${process.execPath}\n`,
  ]);
});
