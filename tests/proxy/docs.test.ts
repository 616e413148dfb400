import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  PAYMENT_STATES_FILE,
  SESSION_STATES_FILE,
  withSessionStates,
  withStateDiagrams,
} from '../../packages/edge-proxy/scripts/update-session-states.ts';

test('the states, transitions and events in the docs are the source’s', () => {
  const document = readFileSync(SESSION_STATES_FILE, 'utf8');
  expect(document.match(/^\| From \| What happens \| To \|$/gm)).toHaveLength(2);
  expect(document).toBe(withSessionStates(document));
});

test('the diagrams of the states are the source’s', () => {
  const document = readFileSync(PAYMENT_STATES_FILE, 'utf8');
  expect(document.match(/^stateDiagram-v2$/gm)).toHaveLength(2);
  expect(document).toBe(withStateDiagrams(document));
  expect(withStateDiagrams(document.replace('open --> pending', 'open --> paid'))).toBe(document);
});
