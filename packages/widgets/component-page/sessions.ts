/** One session per picture on the component page, and the proxy that answers for them. Nothing leaves the page. */
import type { CheckoutView } from '@innkeep/core/checkout';

export const ENDPOINT = 'https://proxy.invalid';

/** One picture: an element, its session, and what is done to it. */
export interface Picture {
  name: string;
  tag: 'pay-widget' | 'save-card-widget' | 'payment-status';
  /** Changes to an open payment of 240 euros, or a failed request. */
  view?: Partial<CheckoutView> | { problem: number } | 'never';
  /** Ask for the secret in the click, also when the session has expired. */
  canRestart?: boolean;
  /** Offer no further attempt. */
  noRetry?: boolean;
  /** Where the guest goes on after the outcome. */
  continueHref?: string;
  /** Click the button once it is there. */
  click?: boolean;
}

const EUR = (value: number): { value: number; currency: string } => ({ value, currency: 'EUR' });
const receipt = {
  base: EUR(24_000),
  surcharge: { amount: EUR(360), percent: 1.5 },
  total: EUR(24_360),
  maskedCard: '424242......4242',
  completedAt: '2026-11-21T14:05:00Z',
};

/** Every state of every element, and the variants that look different. */
export const PICTURES: readonly Picture[] = [
  { name: 'loading', tag: 'pay-widget', view: 'never' },
  { name: 'idle', tag: 'pay-widget', view: {} },
  { name: 'idle-surcharge', tag: 'pay-widget', view: { surcharge: true, livemode: false } },
  { name: 'idle-no-amount', tag: 'pay-widget', canRestart: true },
  { name: 'opening', tag: 'pay-widget', view: {}, click: true },
  { name: 'waiting', tag: 'pay-widget', view: { status: 'pending' } },
  { name: 'waiting-returned', tag: 'pay-widget', view: { status: 'pending', returned: true } },
  { name: 'succeeded', tag: 'pay-widget', view: { status: 'succeeded', receipt }, continueHref: '#booking' },
  {
    name: 'succeeded-plain',
    tag: 'payment-status',
    view: { status: 'succeeded', receipt: { ...receipt, surcharge: null, total: EUR(24_000) } },
  },
  { name: 'failed', tag: 'pay-widget', view: { error: { code: 'upstream_failed' } } },
  {
    name: 'failed-declined',
    tag: 'pay-widget',
    view: { error: { code: 'declined' } },
    continueHref: '#booking',
  },
  { name: 'failed-no-retry', tag: 'pay-widget', view: { error: { code: 'declined' } }, noRetry: true },
  { name: 'canceled', tag: 'pay-widget', view: { error: { code: 'canceled_by_guest' } } },
  { name: 'expired', tag: 'pay-widget', view: { status: 'expired' }, canRestart: true },
  { name: 'expired-late', tag: 'pay-widget', view: { status: 'expired', final: false } },
  { name: 'unknown', tag: 'pay-widget', view: { status: 'unknown', final: false } },
  { name: 'error', tag: 'pay-widget', view: { problem: 503 } },
  { name: 'error-final', tag: 'pay-widget', view: { problem: 401 } },
  { name: 'card-idle', tag: 'save-card-widget', view: { kind: 'card', amount: null } },
  {
    name: 'card-succeeded',
    tag: 'save-card-widget',
    view: {
      kind: 'card',
      amount: null,
      status: 'succeeded',
      receipt: { ...receipt, base: null, surcharge: null, total: null },
    },
  },
  { name: 'status-idle', tag: 'payment-status', view: {} },
  { name: 'status-failed', tag: 'payment-status', view: { error: { code: 'declined' } } },
  { name: 'status-missing', tag: 'payment-status' },
];

const never = new Promise<Response>(() => {});

/** Answers the guest calls of every picture in place of `fetch`. */
export async function answer(_url: unknown, init: RequestInit = {}): Promise<Response> {
  const secret = new Headers(init.headers).get('authorization')?.split('_')[1];
  const view = PICTURES.find(({ name }) => name.replaceAll('-', '') === secret)?.view;
  if (!view || view === 'never' || init.method === 'POST') return never;
  if ('problem' in view) return Response.json({ code: 'upstream_error' }, { status: view.problem });
  const status = view.status ?? 'open';
  return Response.json({
    id: `cs_${secret}`,
    kind: 'payment',
    final: ['succeeded', 'expired'].includes(status),
    seq: 1,
    terms: 1,
    returned: false,
    livemode: true,
    amount: EUR(24_000),
    surcharge: false,
    hotelName: 'Hotel Aurora',
    acceptedBrands: ['visa', 'mastercard', 'amex'],
    reference: 'RES-1234',
    description: 'Double room, 2 nights',
    receipt: null,
    error: null,
    expiresAt: new Date(Date.now() + 480_000).toISOString(),
    nextPollMs: ['pending', 'unknown'].includes(status) ? 60_000 : null,
    ...view,
    status,
  });
}
