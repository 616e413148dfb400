/**
 * Writes what the documentation says of the states: the machines in `docs/session-states.md`, and the diagrams in
 * `docs/concepts/payment-states.md`. A test fails when that was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MONEY_TRANSITIONS, moneyTable } from '../src/policy/money-machine.ts';
import { SESSION_TRANSITIONS, sessionTable } from '../src/policy/session-machine.ts';
import { MONEY_EVENT_WORDS, MONEY_STATE_WORDS, SESSION_EVENT_WORDS, SESSION_STATE_WORDS } from './state-words.ts';

/** The document of all states, events and transitions. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The page about what the states mean. */
export const PAYMENT_STATES_FILE: string = join(import.meta.dirname, '../../../docs/concepts/payment-states.md');

/** One table of states. */
interface Machine {
  readonly title: string;
  /** What the diagram is called; in a page, it is known by this. */
  readonly description: string;
  readonly transitions: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
  readonly table: string;
  readonly states: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

const MACHINES: readonly Machine[] = [
  {
    title: 'Checkout session',
    description: 'The states of a checkout session',
    transitions: SESSION_TRANSITIONS,
    table: sessionTable(),
    states: SESSION_STATE_WORDS,
    events: SESSION_EVENT_WORDS,
  },
  {
    title: 'Charge and reversal',
    description: 'The states of a charge or a reversal',
    transitions: MONEY_TRANSITIONS,
    table: moneyTable(),
    states: MONEY_STATE_WORDS,
    events: MONEY_EVENT_WORDS,
  },
];

/** The document's text with today's machines after its introduction. */
export function withSessionStates(text: string): string {
  const [introduction = ''] = text.split(/^(?=## )/m);
  const sections = MACHINES.map(
    (machine) =>
      `## ${machine.title}\n\n${diagram(machine, 'the tables below say the same.')}\n\n${machine.table}\n` +
      `${table('State', 'Means', machine.states)}\n${table('What happens', 'Decided from', machine.events)}`,
  );
  return introduction + sections.join('\n');
}

/** A page's text with today's diagrams in it. */
export function withStateDiagrams(text: string): string {
  return text.replaceAll(/^```mermaid\n[^`]*? {2}accDescr: ([^;]+); (.+)\n[^`]*^```$/gm, (block, name, rest) => {
    const machine = MACHINES.find(({ description }) => description === name);
    return machine === undefined ? block : diagram(machine, String(rest));
  });
}

/** One arrow for each pair of states, with everything that leads along it. */
function diagram({ description, transitions }: Machine, rest: string): string {
  const [first = ''] = Object.keys(transitions);
  const arrows = Object.entries(transitions).flatMap(([from, row]) =>
    [...new Set(Object.values(row))].map((target) => {
      const events = Object.entries(row).flatMap(([event, to]) => (to === target ? [event] : []));
      return `  ${from} --> ${target}: ${events.join('<br/>')}\n`;
    }),
  );
  return `\`\`\`mermaid\nstateDiagram-v2\n  accDescr: ${description}; ${rest}\n  [*] --> ${first}\n${arrows.join('')}\`\`\``;
}

function table(name: string, meaning: string, words: Readonly<Record<string, string>>): string {
  const rows = Object.entries(words).map(([key, text]) => `| \`${key}\` | ${text} |\n`);
  return `| ${name} | ${meaning} |\n| --- | --- |\n${rows.join('')}`;
}

if (import.meta.main) {
  writeFileSync(SESSION_STATES_FILE, withSessionStates(readFileSync(SESSION_STATES_FILE, 'utf8')));
  writeFileSync(PAYMENT_STATES_FILE, withStateDiagrams(readFileSync(PAYMENT_STATES_FILE, 'utf8')));
}
