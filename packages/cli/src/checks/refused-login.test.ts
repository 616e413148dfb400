import type { PropertyStatus } from '@innkeep/core/contract';
import { expect, it } from 'vitest';
import { findingsOf } from './hotel-status.ts';

const NONE = { stored: 0, unknown: 0, waiting: 0 };
const FIGURES: PropertyStatus = {
  object: 'property_status',
  property: 'aurora',
  upstream: { status: 'refused' },
  server: { maxPending: null },
  ledger: { status: 'ok', bytes: 1, maxBytes: 1000, percent: 0.1 },
  checkoutSessions: NONE,
  charges: NONE,
  reversals: NONE,
  webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
};

it('says that the payment service refuses the login, and what to change', () => {
  expect(findingsOf({ property: 'aurora', figures: FIGURES, endpoints: [], problem: null }, '')).toEqual([
    'payment service: refuses the login, so nobody can pay; correct the username or the password',
  ]);
});
