import { expect, test } from 'vitest';
import { MONEY_TRANSITIONS } from '../src/money/money-machine.ts';
import { ATTEMPT_TRANSITIONS, transitionTable } from '../src/sessions/attempt-machine.ts';

type Transitions = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

const MACHINES: readonly { heading: string; transitions: Transitions; table: string }[] = [
  { heading: 'Checkout session', transitions: ATTEMPT_TRANSITIONS, table: transitionTable(ATTEMPT_TRANSITIONS) },
  { heading: 'Charge and reversal', transitions: MONEY_TRANSITIONS, table: transitionTable(MONEY_TRANSITIONS) },
];

const REFERENCE = '../docs/session-states.md';
const PAGES: Readonly<Record<string, string>> = {
  ...import.meta.glob('../docs/session-states.md', { query: '?raw', import: 'default', eager: true }),
};

/** What a page says under a heading. */
function section(page: string, heading: string): string {
  return PAGES[page]?.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
}

/** The names in the first column of a table whose second column says something about each. */
function explained(text: string, title: string): string[] {
  const [, rows = ''] = text.split(new RegExp(`^\\| ${title} \\| .*\n\\| --- \\| --- \\|\n`, 'm'));
  const [table = ''] = rows.split('\n\n');
  return [...table.matchAll(/^\| `(\w+)` \| \S.*\|$/gm)].map(([, name = '']) => name);
}

for (const { heading, transitions, table } of MACHINES) {
  const arrows = Object.entries(transitions).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => `${from} ${event} ${to}`),
  );

  test(`the reference has every transition of a ${heading}, and explains every state and event`, () => {
    const text = section(REFERENCE, heading);
    expect(text).toContain(`\n\n${table}\n`);
    expect(explained(text, 'State').sort()).toEqual(Object.keys(transitions).sort());
    const events = new Set(arrows.map((arrow) => arrow.split(' ')[1] ?? ''));
    expect(explained(text, 'What happens').sort()).toEqual([...events].sort());
  });

  test(`the diagram of a ${heading} has the arrows of the source`, () => {
    const text = section(REFERENCE, heading);
    const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+): (\S+)$/gm)].flatMap(([, from, to, events = '']) =>
      events.split('<br/>').map((event) => `${from} ${event} ${to}`),
    );
    expect(drawn.sort()).toEqual(arrows.sort());
    expect(text).toContain(`\n  [*] --> ${Object.keys(transitions)[0]}\n`);
  });
}
