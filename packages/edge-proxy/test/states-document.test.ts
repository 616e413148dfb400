/** The documents about states and storage have what the sources have. */
import { expect, test } from 'vitest';
import { MONEY_TRANSITIONS } from '../src/money/money-machine.ts';
import { ATTEMPT_TRANSITIONS } from '../src/sessions/attempt-machine.ts';

type Transitions = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

const MACHINES: readonly { heading: string; transitions: Transitions; meanings: string }[] = [
  { heading: 'Checkout session', transitions: ATTEMPT_TRANSITIONS, meanings: 'attempts[].status' },
  { heading: 'Charge and reversal', transitions: MONEY_TRANSITIONS, meanings: 'status' },
];

const PAGES: Readonly<Record<string, string>> = {
  ...import.meta.glob('../docs/session-states.md', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob('../../../docs/concepts/payment-states.md', { query: '?raw', import: 'default', eager: true }),
};
const page = (name: string): string => Object.entries(PAGES).find(([file]) => file.endsWith(name))?.[1] ?? '';

for (const { heading, transitions, meanings } of MACHINES) {
  const text =
    page('session-states.md')
      .split(/^## /m)
      .find((part) => part.startsWith(heading)) ?? '';
  const arrows = Object.entries(transitions)
    .flatMap(([from, row]) => Object.entries(row).map(([event, to]) => `${from} ${event} ${to}`))
    .sort();

  test(`the table has every transition of a ${heading}, and says what each is decided from`, () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \| ((?:`\w+` )+)\| `(\w+)` \| \S.*\|$/gm)];
    const listed = rows.flatMap(([, event, froms = '', to]) =>
      [...froms.matchAll(/\w+/g)].map(([from]) => `${from} ${event} ${to}`),
    );
    expect(listed.sort()).toEqual(arrows);
  });

  test(`the diagram of a ${heading} has the arrows of the source`, () => {
    const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+): (\S+)$/gm)].flatMap(([, from, to, events = '']) =>
      events.split('<br/>').map((event) => `${from} ${event} ${to}`),
    );
    expect(drawn.sort()).toEqual(arrows);
    expect(text).toContain(`\n  [*] --> ${Object.keys(transitions)[0]}\n`);
  });

  test(`the page about payment states says what each state of a ${heading} means`, () => {
    const [, table = ''] = page('payment-states.md').split(`\n| \`${meanings}\` | What it means |`);
    const explained = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` +\| \S.*\|$/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(Object.keys(transitions).sort());
  });
}

test('STORAGE.md has a row for everything that is stored, and for nothing else', () => {
  const sources = Object.values(
    import.meta.glob('../src/**/*.ts', { query: '?raw', import: 'default', eager: true }),
  ).join('\n');
  const register = Object.values(
    import.meta.glob('../STORAGE.md', { query: '?raw', import: 'default', eager: true }),
  ).join('');
  const tables = [...sources.matchAll(/\bCREATE\s+(?:VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi)];
  const keys = [...sources.matchAll(/(?:storage|kv)\.put\(\s*'([^']+)'/g)];
  const rows = [...register.matchAll(/^\|\s*`([^`]+)`/gm)];
  const names = (matches: RegExpExecArray[]): string[] => [...new Set(matches.map((match) => match[1] ?? ''))].sort();
  expect(tables.length).toBeGreaterThan(10);
  expect(names(rows)).toEqual(names([...tables, ...keys]));
});
