import * as v from 'valibot';
import { type CheckoutView, CheckoutViewSchema } from '../src/contract/guest-view.ts';

// The contract's own: a payment that is pending.
const { examples } = v.getMetadata(CheckoutViewSchema) as unknown as { readonly examples: readonly [CheckoutView] };

/** A session as its guest sees it, which nobody has started. */
export const OPEN_VIEW: CheckoutView = { ...examples[0], status: 'open', seq: 1, returned: false, nextPollMs: null };

/** The same once it was paid. */
export const PAID_VIEW: CheckoutView = {
  ...OPEN_VIEW,
  ...{ status: 'succeeded', final: true, seq: 3 },
  receipt: {
    base: { value: 12000, currency: 'EUR' },
    surcharge: { amount: { value: 240, currency: 'EUR' }, percent: 2 },
    total: { value: 12240, currency: 'EUR' },
    maskedCard: '424242......4242',
    completedAt: '2026-06-01T11:00:00Z',
  },
};
