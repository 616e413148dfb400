/** Writes the two lists in `docs/session-states.md`: transitions and events. A test fails when that was forgotten. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_EVENT_WORDS } from '../openapi/state-words.ts';
import { sessionTable } from '../src/policy/session-machine.ts';

/** The document. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The document's text with today's transitions and events in it. */
export function withSessionStates(text: string): string {
  const rows = Object.entries(SESSION_EVENT_WORDS).map(([event, words]) => `| \`${event}\` | ${words} |`);
  return text
    .replace(/\| From \| What happens \| To \|\n(?:\|.*\n)*/, () => sessionTable())
    .replace(/(\| Event \|.*\n\|.*\n)(?:\|.*\n)+/, (_, head: string) => `${head}${rows.join('\n')}\n`);
}

if (import.meta.main) writeFileSync(SESSION_STATES_FILE, withSessionStates(readFileSync(SESSION_STATES_FILE, 'utf8')));
