// What the guides say of commands is held to the parser of the command: nothing is missing, nothing is made up.
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createProgram } from './program.ts';

const OPTIONS = optionsOfCommands();
const COMMANDS = [...OPTIONS.keys()];
/** What an operator uses; all else is for a hotel's server and for developers. */
const OPERATORS =
  /^(?:hotel|platform|keys|events|export|audit|status|listen|session (?:list|refresh|resolve|expire)|\w+ (?:list|resolve))(?: |$)/;
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PAGES = ['docs/**/*.md', 'packages/*/README.md', '*.md'];
const OPERATE = new URL('../../../../docs/guides/operate.md', import.meta.url);

type Command = ReturnType<typeof createProgram>;

/** Every command by its full name, with its options, from the parser. */
function optionsOfCommands(): ReadonlyMap<string, ReadonlySet<string>> {
  const output = { writeOut: () => undefined, writeErr: () => undefined };
  return new Map(commandsBelow(createProgram({ execute: async () => undefined, output }), []));
}

function commandsBelow(
  { commands, options }: Command,
  group: readonly string[],
  above = ['--help'],
): [string, ReadonlySet<string>][] {
  const own = [...above, ...options.map(({ long, flags }) => long ?? flags)];
  if (commands.length === 0) return [[group.join(' '), new Set(own)]];
  return commands.flatMap((command) => commandsBelow(command, [...group, command.name()], own));
}

/** Each row of the table: its commands, and the pages that it names. */
async function rows(): Promise<readonly { commands: readonly string[]; pages: readonly string[] }[]> {
  const table = (await readFile(OPERATE, 'utf8')).split('\n').filter((line) => line.startsWith('| '));
  return table.slice(2).map((line) => {
    const [, , commands = '', pages = ''] = line.split('|');
    return {
      commands: [...commands.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
      pages: [...pages.matchAll(/\]\(([^)#]+)/g)].map(([, page = '']) => page),
    };
  });
}

it('the table names every command of an operator', async () => {
  const named = (await rows()).flatMap(({ commands }) => commands);
  const missing = COMMANDS.filter((name) => OPERATORS.test(name) && !named.includes(`innkeep ${name}`));
  expect(missing).toEqual([]);
});

it('each command of the table stands on a page of its row', async () => {
  const missing: string[] = [];
  for (const { commands, pages } of await rows()) {
    const texts = await Promise.all(pages.map((page) => readFile(new URL(page, OPERATE), 'utf8')));
    missing.push(...commands.filter((command) => !texts.some((text) => text.includes(command))));
  }
  expect(missing).toEqual([]);
});

/** What pages have after the name of the program, in code: elsewhere the word is the project's name. */
async function calls(): Promise<readonly { page: string; words: string }[]> {
  const found = [];
  for await (const page of glob(PAGES, { cwd: ROOT })) {
    const text = (await readFile(`${ROOT}/${page}`, 'utf8')).replaceAll(/\\\n */g, '');
    for (const [, words = ''] of text.matchAll(/(?:(?:`|^|\$ |npx )innkeep|@innkeep\/cli) ([a-z-][^`\n|>#;)&]*)/gm))
      found.push({ page, words });
  }
  return found;
}

it('every command that a page names is one', async () => {
  const known = new Set(
    COMMANDS.flatMap((name) => name.split(' ').map((_, at, words) => words.slice(0, at + 1).join(' '))),
  );
  const groups = new Set([...known].filter((name) => !COMMANDS.includes(name)));
  const wrong: string[] = [];
  for (const { page, words } of await calls()) {
    let name = '';
    for (const word of /^(?:[a-z-]+ ?)+/.exec(words)?.[0].trim().split(' ') ?? []) {
      if (name !== '' && !groups.has(name)) break;
      name = `${name} ${word}`.trim();
      if (!known.has(name)) wrong.push(`${page}: innkeep ${name}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('every option that a page gives a command is one of it', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const { page, words } of await calls()) {
    const name = COMMANDS.find((command) => `${words} `.startsWith(`${command} `)) ?? '';
    // What follows -- is the site's own.
    for (const [option] of words.replace(/ -- .*/, '').matchAll(/--[a-z-]+/g)) {
      seen += 1;
      if (OPTIONS.get(name)?.has(option) !== true) wrong.push(`${page}: innkeep ${name} ${option}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});
