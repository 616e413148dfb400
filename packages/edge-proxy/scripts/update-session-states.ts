/** Writes the list of transitions in `docs/session-states.md` from the table. A test fails when that was forgotten. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionTable } from '../src/policy/session-machine.ts';

/** The document. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The document's text with today's list in it. */
export function withSessionTable(text: string): string {
  return text.replace(/\| From \| What happens \| To \|\n(?:\|.*\n)*/, sessionTable());
}

if (import.meta.main) writeFileSync(SESSION_STATES_FILE, withSessionTable(readFileSync(SESSION_STATES_FILE, 'utf8')));
