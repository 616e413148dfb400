import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { main } from './command-line.ts';

const PROGRAM = join(import.meta.dirname, '../bin/create-innkeep.js');

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'create-innkeep-words-')));
const before = process.cwd();
afterEach(() => {
  process.chdir(before);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs the command here: what only a process of its own can show, its questions do. */
async function create(words: readonly string[], at: string = cwd, agent = '') {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text;
      return true;
    });
  }
  vi.stubEnv('npm_config_user_agent', agent);
  process.chdir(at);
  return { status: await main(words), ...written };
}

describe('what to do next', () => {
  test.each(['hotel-site', 'my hotel', "it's", '$HOME', '東京', 'a/b'])('%s: cd goes there', async (folder) => {
    const { status, stdout } = await create([folder, '--yes']);
    expect(status).toBe(0);
    const [cd = ''] = /^ {2}cd .*$/m.exec(stdout) ?? [];
    expect(spawnSync('sh', ['-c', `${cd} && pwd`], { cwd, encoding: 'utf8' }).stdout).toBe(`${join(cwd, folder)}\n`);
  });

  test.each([
    ['npm/11.9.0 node/v24.21.0 linux x64 workspaces/false', 'npm'],
    ['pnpm/12.21.0 npm/? node/v24.21.0 linux x64', 'pnpm'],
    // It refuses a workspace without packages.
    ['pnpm/9.15.9 npm/? node/v24.21.0 linux arm64', 'pnpm', false],
    ['yarn/4.18.1 npm/? node/v24.21.0 linux x64', 'yarn'],
    ['bun/1.4.0 npm/? node/v24.3.0 linux x64', 'bun'],
    ['', 'npm'],
  ])('with what it was called: %s', async (agent, manager, isStrict = manager === 'pnpm') => {
    const folder = `by-${agent.length}`;
    const { stdout } = await create([folder, '--yes', '--what', 'both'], cwd, agent);
    expect(stdout).toContain(`\n  ${manager} install\n  ${manager} run dev\n`);
    for (const made of [folder, join(folder, 'proxy')]) {
      const file = join(cwd, made, 'pnpm-workspace.yaml');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      // As in this repository, which installs them, too.
      const decided = readFileSync(join(import.meta.dirname, '../../../pnpm-workspace.yaml'), 'utf8').split('\n');
      expect(text.startsWith('allowBuilds:\n')).toBe(isStrict);
      expect(text.split('\n').filter((line) => !decided.includes(line))).toEqual([]);
    }
  });

  test('in this folder there is nowhere to go', async () => {
    const here = join(cwd, 'here');
    mkdirSync(here);
    const { status, stdout } = await create(['.', '--yes'], here);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^\nWritten to this folder\. Now:\n\n {2}npm install\n/),
    ]);
  });
});

describe('a folder that cannot be had is named before anything is asked', () => {
  beforeAll(() => {
    writeFileSync(join(cwd, 'file'), '');
    mkdirSync(join(cwd, 'used'));
    writeFileSync(join(cwd, 'used/mine.txt'), '');
  });

  test.each([
    ['file', 'is a file, or inside one. Name a new folder.'],
    ['file/below', 'is a file, or inside one. Name a new folder.'],
    ['used', 'is not empty. Name a new folder, or empty this one.'],
  ])('%s', async (folder, reason) => {
    const refused = { status: 1, stdout: '', stderr: `${join(cwd, folder)} ${reason}\n` };
    expect(await create([folder])).toEqual(refused);
    expect(await create([folder, '--yes'])).toEqual(refused);
    expect(readdirSync(join(cwd, 'used'))).toEqual(['mine.txt']);
  });
});

// A program that takes its pipes for a terminal.
const AS_TERMINAL = `data:text/javascript,for (const stream of [process.stdin, process.stdout])
  Object.assign(stream, { isTTY: true, setRawMode: () => stream })`;

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['the end of the input at the second question', 'site\r'],
  ['the end of the input', ''],
])('%s ends the questions, and nothing is written', (_what, input) => {
  const at = mkdtempSync(join(cwd, 'asked-'));
  const words = ['--import', AS_TERMINAL, PROGRAM];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: at, encoding: 'utf8', input });
  expect([status, stderr, readdirSync(at)]).toEqual([1, '', []]);
  expect(stdout).toContain('Nothing was written.');
  expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'));
});
