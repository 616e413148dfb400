/** Writes the diagram in `docs/session-states.md` from the table. A test fails when that was forgotten. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionDiagram } from '../src/policy/session-machine.ts';

/** The document. */
export const SESSION_STATES_FILE: string = join(import.meta.dirname, '../docs/session-states.md');

/** The document's text with today's diagram in it. */
export function withSessionDiagram(text: string): string {
  return text.replace(/```mermaid\n[\s\S]*?```/, `\`\`\`mermaid\n${sessionDiagram()}\`\`\``);
}

if (import.meta.main) writeFileSync(SESSION_STATES_FILE, withSessionDiagram(readFileSync(SESSION_STATES_FILE, 'utf8')));
