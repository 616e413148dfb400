/** Every route of the default bundle: the app mounts this list, the OpenAPI document is checked against it. */
import { createCharge } from './create-charge.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { createReversal } from './create-reversal.ts';
import { exportCsv } from './export-csv.ts';
import { readCheckout, startCheckout } from './guest-checkout.ts';
import { health } from './health.ts';
import { listCheckoutSessions, listEvents, redeliverEvent } from './list-ledger.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import {
  createClientSecret,
  createPaymentLink,
  expireCheckoutSession,
  refreshCheckoutSession,
  resolveCheckoutSession,
  retrieveCheckoutSession,
} from './manage-checkout-session.ts';
import {
  listCharges,
  listReversals,
  resolveCharge,
  resolveReversal,
  retrieveCharge,
  retrieveReversal,
} from './manage-money-operation.ts';
import { showPaymentLink, showPaymentLinkCode, startPaymentLink } from './open-payment-link.ts';
import { returnFromHostedPage, returnFromHostedPageByPost } from './return-from-hosted-page.ts';
import type { Route } from './route.ts';
import { sendToGateway } from './send-to-gateway.ts';
import { showOpenApiDocument, showPageStyle } from './static-files.ts';

/** In the order in which they are matched. */
export const ALL_ROUTES: readonly Route[] = [
  readCheckout,
  startCheckout,
  createCheckoutSession,
  listCheckoutSessions,
  retrieveCheckoutSession,
  expireCheckoutSession,
  refreshCheckoutSession,
  resolveCheckoutSession,
  createClientSecret,
  createPaymentLink,
  createCharge,
  listCharges,
  retrieveCharge,
  resolveCharge,
  createReversal,
  listReversals,
  retrieveReversal,
  resolveReversal,
  sendToGateway,
  exportCsv,
  listEvents,
  redeliverEvent,
  listWebhookEndpoints,
  returnFromHostedPage,
  returnFromHostedPageByPost,
  showPaymentLink,
  startPaymentLink,
  showPaymentLinkCode,
  showPageStyle,
  showOpenApiDocument,
  health,
];
