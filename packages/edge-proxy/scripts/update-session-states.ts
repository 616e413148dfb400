/**
 * Writes what the documentation says of the states: the two lists in `docs/session-states.md`, and the diagrams there and in
 * `docs/concepts/payment-states.md`. A test fails when that was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_EVENT_WORDS } from '../openapi/state-words.ts';
import { MONEY_TRANSITIONS } from '../src/policy/money-machine.ts';
import { SESSION_TRANSITIONS, sessionTable } from '../src/policy/session-machine.ts';

/** The document. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The page about what the states mean. */
export const PAYMENT_STATES_FILE: string = join(import.meta.dirname, '../../../docs/concepts/payment-states.md');

type Transitions = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;

/** Diagrams by the description that stands in them. */
const DIAGRAMS: Readonly<Record<string, Transitions>> = {
  'The states of a checkout session': SESSION_TRANSITIONS,
  'The states of a charge or a reversal': MONEY_TRANSITIONS,
};

/** A page's text with today's diagrams in it. */
export function withStateDiagrams(text: string): string {
  return text.replaceAll(
    /(^```mermaid\nstateDiagram-v2\n {2}accDescr: (.+)\n)[\s\S]*?^```$/gm,
    (block, head: string, name: string) => {
      const transitions = DIAGRAMS[name.replace(/[:;,.].*/, '')];
      return transitions === undefined ? block : `${head}${arrows(transitions)}\`\`\``;
    },
  );
}

/** One arrow for each pair of states, with everything that leads along it. */
function arrows(transitions: Transitions): string {
  const [first = ''] = Object.keys(transitions);
  const lines = Object.entries(transitions).flatMap(([from, row]) => {
    const byTarget = Map.groupBy(Object.entries(row), ([, to]) => to);
    return [...byTarget].map(
      ([to, events]) => `  ${from} --> ${to}: ${events.map(([event]) => event).join('<br/>')}\n`,
    );
  });
  return `  [*] --> ${first}\n${lines.join('')}`;
}

/** The document's text with today's transitions and events in it. */
export function withSessionStates(text: string): string {
  const rows = Object.entries(SESSION_EVENT_WORDS).map(([event, words]) => `| \`${event}\` | ${words} |`);
  return withStateDiagrams(text)
    .replace(/\| From \| What happens \| To \|\n(?:\|.*\n)*/, () => sessionTable())
    .replace(/(\| Event \|.*\n\|.*\n)(?:\|.*\n)+/, (_, head: string) => `${head}${rows.join('\n')}\n`);
}

if (import.meta.main) {
  writeFileSync(SESSION_STATES_FILE, withSessionStates(readFileSync(SESSION_STATES_FILE, 'utf8')));
  writeFileSync(PAYMENT_STATES_FILE, withStateDiagrams(readFileSync(PAYMENT_STATES_FILE, 'utf8')));
}
