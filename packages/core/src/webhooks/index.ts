/**
 * Signing, verifying and receiving webhooks by the Standard Webhooks specification, on WebCrypto.
 *
 * Import path: `@innkeep/core/webhooks`.
 *
 * @module
 */
export type { EventAbout, WebhookEvent, WebhookEventType } from '../contract/event.ts';
export {
  type FastifyWebhookInstance,
  fastifyWebhook,
  fetchWebhook,
  type HandleWebhook,
  type NodeWebhookRequest,
  type NodeWebhookResponse,
  nodeWebhook,
} from './receivers.ts';
export { signWebhook, type WebhookToSign } from './sign-webhook.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
