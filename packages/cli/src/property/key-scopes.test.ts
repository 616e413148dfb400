import { expect, test } from 'vitest';
import { powersBeyondSite, SITE_SCOPES } from './key-scopes.ts';

test.each([
  [SITE_SCOPES, undefined],
  [['checkout'], undefined],
  [['events'], undefined],
  // Staff and back offices: no guest's page stands behind these.
  [['charges', 'resolutions', 'events'], undefined],
  [['properties'], undefined],
  [['checkout', 'charges', 'events'], 'charge stored cards (charges)'],
  [
    ['resolutions', 'checkout', 'gateway'],
    'declare payments paid or failed (resolutions), send messages to the property-management system (gateway)',
  ],
])('a key with %j has no more power than its job needs, but: %s', (scopes, words) => {
  expect(powersBeyondSite(scopes)).toBe(words);
});
