import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SESSION_STATES_FILE, withSessionDiagram } from '../../packages/edge-proxy/scripts/update-session-states.ts';

test('the diagram of a session’s states in the docs is the table’s', () => {
  const document = readFileSync(SESSION_STATES_FILE, 'utf8');
  expect(document).toContain('```mermaid');
  expect(document).toBe(withSessionDiagram(document));
});
