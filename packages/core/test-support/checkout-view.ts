import type { CheckoutView } from '../src/contract/guest-view.ts';

/** A session as its guest sees it, which nobody has started. */
export const OPEN_VIEW: CheckoutView = {
  id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  kind: 'payment',
  status: 'open',
  final: false,
  seq: 1,
  terms: 1,
  returned: false,
  livemode: false,
  amount: { value: 12000, currency: 'EUR' },
  surcharge: false,
  hotelName: 'Hotel Aurora',
  acceptedBrands: [],
  reference: 'RES-1234',
  description: '2 nights',
  receipt: null,
  error: null,
  expiresAt: '2026-06-01T12:00:00.000Z',
  nextPollMs: null,
};

/** The same once it was paid. */
export const PAID_VIEW: CheckoutView = {
  ...OPEN_VIEW,
  status: 'succeeded',
  final: true,
  seq: 3,
  receipt: {
    base: { value: 12000, currency: 'EUR' },
    surcharge: { amount: { value: 240, currency: 'EUR' }, percent: 2 },
    total: { value: 12240, currency: 'EUR' },
    maskedCard: '424242......4242',
    completedAt: '2026-06-01T11:00:00Z',
  },
};
