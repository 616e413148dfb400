import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SESSION_STATES_FILE, withSessionTable } from '../../packages/edge-proxy/scripts/update-session-states.ts';

test('the list of a session’s transitions in the docs is the code’s', () => {
  const document = readFileSync(SESSION_STATES_FILE, 'utf8');
  expect(document).toContain('| From | What happens | To |');
  expect(document).toBe(withSessionTable(document));
});
