/**
 * Signing and verifying webhooks by the Standard Webhooks specification, on WebCrypto.
 *
 * Import path: `@innkeep/core/webhooks`.
 *
 * @module
 */
export type { WebhookEvent, WebhookEventType } from '../contract/event.ts';
export { signWebhook, type WebhookToSign } from './sign-webhook.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
