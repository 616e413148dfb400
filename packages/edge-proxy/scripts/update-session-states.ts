/** Writes the diagram and the table in `docs/session-states.md`. A test fails when that was forgotten. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_EVENT_WORDS } from '../openapi/state-words.ts';
import { sessionDiagram } from '../src/policy/session-machine.ts';

/** The document. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The document's text with today's diagram and events in it. */
export function withSessionStates(text: string): string {
  const rows = Object.entries(SESSION_EVENT_WORDS).map(([event, words]) => `| \`${event}\` | ${words} |`);
  return text
    .replace(/```mermaid\n[\s\S]*?```/, () => `\`\`\`mermaid\n${sessionDiagram()}\`\`\``)
    .replace(/(\| Event \|.*\n\|.*\n)(?:\|.*\n)+/, (_, head: string) => `${head}${rows.join('\n')}\n`);
}

if (import.meta.main) writeFileSync(SESSION_STATES_FILE, withSessionStates(readFileSync(SESSION_STATES_FILE, 'utf8')));
