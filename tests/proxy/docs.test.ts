import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SESSION_STATES_FILE, withSessionStates } from '../../packages/edge-proxy/scripts/update-session-states.ts';

test('the transitions and events of a session’s states in the docs are the source’s', () => {
  const document = readFileSync(SESSION_STATES_FILE, 'utf8');
  expect(document).toContain('| From | What happens | To |');
  expect(document).toBe(withSessionStates(document));
});
