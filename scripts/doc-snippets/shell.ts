// Prevents: a command line that a reader copies and that does not exist, or takes other options.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';
import type { Block } from '../doc-snippets.ts';
import { walk } from '../module-imports.ts';
import { lineAt, type Problem } from '../report-problems.ts';
import { ROOT, readJson } from '../workspace.ts';
import { isOurs, type ProxyApi } from './proxy-api.ts';

/** What command lines are held against. */
export interface ShellFacts {
  readonly api: ProxyApi;
  /** Says what is wrong with the words behind `innkeep`, or nothing. */
  readonly problemOfInnkeep: (words: readonly string[]) => Promise<string | undefined>;
}

/** Programs of the reader's machine. What they are asked is theirs to know. */
const PROGRAMS = new Set(
  [
    'apt-get',
    'brew',
    'cat',
    'cd',
    'chmod',
    'cp',
    'curl',
    'cut',
    'deno',
    'docker',
    'echo',
    'exit',
    'export',
    'git',
  ].concat(
    [
      'jq',
      'ls',
      'mkdir',
      'mktemp',
      'mv',
      'node',
      'npm',
      'openssl',
      'php',
      'printf',
      'read',
      'rm',
      'set',
      'sudo',
      'systemctl',
      'tar',
    ],
    ['unset', 'useradd', '.', 'source', 'test', '['],
  ),
);

/** Where a script of the root's package.json reads its options. */
const OPTIONS_OF: Readonly<Record<string, string>> = {
  demo: 'scripts/demo.ts',
  proxy: 'packages/edge-proxy/scripts/serve.ts',
  sandbox: 'packages/sandbox/src/serve-options.ts',
};

/** pnpm's own commands in the documentation. */
const PNPM_COMMANDS = new Set(['exec', 'install', 'pack', 'add', 'run', 'dlx']);

const WRANGLER_COMMANDS =
  /^(?:login|whoami|dev|deploy|delete|rollback|tail|types|secret (?:put|delete|list|bulk)|kv namespace create)$/;

/** Every command of a script, by its line. */
export async function problemsOfShell(block: Block, facts: ShellFacts): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const script = parse(block.code);
  const complain = (offset: number, message: string): void =>
    void problems.push({ file: block.file, line: block.line + lineAt(block.code, offset) - 1, message });
  for (const { message, pos } of script.errors ?? []) complain(pos, `sh: ${message}`);
  if (script.errors === undefined) for (const message of complaintsOfBash(block.code)) complain(0, message);
  for (const command of commandsOf(script)) {
    const message = await problemOf(wordsOf(command), facts);
    if (message !== undefined) complain(command.pos, message);
  }
  return problems;
}

/** Every simple command, those inside substitutions and branches as well. */
function commandsOf(node: SyntaxNode): readonly Command[] {
  const found: Command[] = node.type === 'Command' ? [node] : [];
  forEachChild(node, (child) => void found.push(...commandsOf(child)));
  return found;
}

/** Words of a command as the program gets them. */
function wordsOf(command: Command): readonly string[] {
  const suffix = command.suffix.flatMap((word) => (word.type === 'Word' ? [word.value] : []));
  return command.name === undefined ? [] : [command.name.value, ...suffix];
}

async function problemOf([name, ...rest]: readonly string[], facts: ShellFacts): Promise<string | undefined> {
  if (name === 'npx') return problemOf(rest[0] === '@innkeep/cli' ? ['innkeep', ...rest.slice(1)] : rest, facts);
  if (name === 'pnpm') return problemOfPnpm(rest, facts);
  if (name === 'innkeep') return facts.problemOfInnkeep(rest);
  if (name === 'wrangler') return problemOfWrangler(rest);
  if (name === 'curl') return problemOfCurl(rest, facts.api);
  if (name === undefined || PROGRAMS.has(name) || isInstalled(name)) return problemOfPaths(rest);
  return `does not know the command ${name}; when it is right, add it to PROGRAMS in scripts/doc-snippets/shell.ts`;
}

async function problemOfPnpm(words: readonly string[], facts: ShellFacts): Promise<string | undefined> {
  let at = 0;
  const filters: string[] = [];
  while (words[at]?.startsWith('-')) {
    if (words[at] === '--filter') filters.push(words[++at] ?? '');
    else if (!['-s', '--silent', '-r', '-w'].includes(words[at] ?? ''))
      return `does not know the pnpm option ${words[at]}`;
    at++;
  }
  const [command = '', ...rest] = words.slice(at);
  const packages =
    filters.length === 0 ? ['.'] : filters.map((filter) => `packages/${filter.replace('@innkeep/', '')}`);
  const missing = packages.find((folder) => !existsSync(join(ROOT, folder, 'package.json')));
  if (missing !== undefined) return `there is no package ${missing}`;
  if (command === 'innkeep') return facts.problemOfInnkeep(rest);
  if (command === 'exec') return problemOf(rest, facts);
  if (command === 'run') return problemOfScript(rest[0] ?? '', rest.slice(1), packages);
  return PNPM_COMMANDS.has(command) ? undefined : problemOfScript(command, rest, packages);
}

function problemOfScript(name: string, words: readonly string[], folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const { scripts = {} } = readJson(join(ROOT, folder, 'package.json')) as { scripts?: Record<string, string> };
    if (scripts[name] === undefined) return `there is no script “${name}” in ${folder}/package.json`;
  }
  const source = OPTIONS_OF[name];
  if (source !== undefined) {
    const known = optionsIn(source);
    const unknown = words.find((word) => word.startsWith('--') && !known.includes(word.slice(2).replace(/=.*/, '')));
    if (unknown !== undefined)
      return `pnpm ${name} has no option ${unknown}; it has ${known.map((option) => `--${option}`).join(', ')}`;
  }
  if (name === 'check') {
    const checks = readFileSync(join(ROOT, 'scripts/check.ts'), 'utf8');
    const unknown = words.find((word) => !checks.includes(`'${word}'`));
    if (unknown !== undefined) return `there is no check named ${unknown}`;
  }
  return undefined;
}

/** Names of the options in a file's call of `parseArgs`, or in its table of options. */
function optionsIn(file: string): readonly string[] {
  const names: string[] = [];
  walk(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program, (node) => {
    if (node.type !== 'Property') return;
    if (keyOf(node) === 'name') names.push(String(Object(node.value).value));
    if (keyOf(node) !== 'options') return;
    const { properties } = node.value as { properties?: unknown[] };
    for (const property of properties ?? []) names.push(keyOf(property));
  });
  return names;
}

function keyOf(property: unknown): string {
  const { key } = Object(property) as { key?: { name?: string; value?: unknown } };
  return key?.name ?? String(key?.value ?? '');
}

function problemOfWrangler(words: readonly string[]): string | undefined {
  const verbs = words.slice(0, words.findIndex((word) => word.startsWith('-') || /[A-Z.]/.test(word)) >>> 0).join(' ');
  const command = [3, 2, 1]
    .map((count) => verbs.split(' ').slice(0, count).join(' '))
    .find((text) => WRANGLER_COMMANDS.test(text));
  return command === undefined
    ? `does not know wrangler ${words.join(' ')}; see WRANGLER_COMMANDS in scripts/doc-snippets/shell.ts`
    : undefined;
}

/** Paths of the repository, as seen from its root. What the build makes is there: the check runs after it. */
function problemOfPaths(words: readonly string[]): string | undefined {
  const missing = words.find(
    (word) => /^(?:packages|scripts|tests|apps)\/[\w./-]+$/.test(word) && !existsSync(join(ROOT, word)),
  );
  return missing === undefined ? undefined : `there is no ${missing}`;
}

const CURL_VALUES =
  /^(?:-[sSfivLN]*[XdHou]|--(?:request|data|data-raw|data-binary|json|header|output|user|url-query))$/;

function problemOfCurl(words: readonly string[], api: ProxyApi): string | undefined {
  let method: string | undefined;
  let address: string | undefined;
  let body: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (CURL_VALUES.test(word)) {
      const value = words[++at] ?? '';
      if (/X$|^--request$/.test(word)) method = value;
      if (/d$|^--data|^--json$/.test(word)) body = value;
    } else if (!word.startsWith('-')) address = word;
  }
  if (address === undefined) return 'curl: names no address';
  if (body?.startsWith('{') && !isJson(body)) return 'curl: the body is no JSON';
  if (!isOurs(address)) return undefined;
  const problem = api.problemOfCall(method ?? (body === undefined ? 'GET' : 'POST'), address, body);
  return problem === undefined ? undefined : `curl: ${problem}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A variable in it is filled in by the shell.
    return text.includes('$');
  }
}

function isInstalled(name: string): boolean {
  return ['', 'tests/docs', 'packages/edge-proxy', 'packages/sandbox', 'packages/core'].some((folder) =>
    existsSync(join(ROOT, folder, 'node_modules/.bin', name)),
  );
}

/** What bash says about the syntax. */
function complaintsOfBash(code: string): readonly string[] {
  try {
    execFileSync('bash', ['-n'], { input: code, stdio: ['pipe', 'pipe', 'pipe'] });
    return [];
  } catch (error) {
    // What execFileSync throws: the run's own output, or that there is no such program.
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    return [`sh: ${stderr?.toString().trim() || message}`];
  }
}
