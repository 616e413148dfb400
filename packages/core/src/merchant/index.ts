/**
 * The merchant's side of the proxy, for the hotel's server: sessions, charges, reversals, cards, gateway, events. And the
 * platform's, for the server of a platform with many hotels: their configuration, and the events of all of them.
 *
 * Import path: `@innkeep/core/merchant`. Holds the merchant key, or the platform key: never import it into a page.
 *
 * @module
 */

export type { AuditAction, AuditEntry, ListAudit } from '../contract/audit.ts';
export type { Author } from '../contract/author.ts';
export type { Card, CreateCard } from '../contract/card.ts';
export type { Charge, ChargeReason, CreateCharge } from '../contract/charge.ts';
export type { ClientSecret, CreateClientSecret, PaymentLink } from '../contract/checkout-access.ts';
export type { CardResult, CheckoutAttempt, PaymentResult, RecordedFigures } from '../contract/checkout-attempt.ts';
export type {
  CheckoutSession,
  CreateCardSession,
  CreateCheckoutSession,
  CreatedCheckoutSession,
  CreatePaymentSession,
} from '../contract/checkout-session.ts';
export type { DeskFeature } from '../contract/desk-feature.ts';
export type {
  CreateDeskPage,
  CreateDeskSession,
  CreatedDeskPage,
  CreatedDeskSession,
  DeskSession,
  ListDeskSessions,
} from '../contract/desk-session.ts';
export type { EventAbout, EventPage, PlatformEvent, WebhookEvent, WebhookEventType } from '../contract/event.ts';
export type { ExportRange, ListQuery, Page } from '../contract/list.ts';
export type {
  MoneyOperationError,
  MoneyOperationErrorCode,
  MoneyOperationStatus,
} from '../contract/money-operation.ts';
export type {
  PaymentCard,
  PaymentFlag,
  PaymentLine,
  PaymentLineKind,
  PaymentPage,
  PaymentStatus,
  PaymentTotals,
  PaymentType,
} from '../contract/payment.ts';
export type { Payment, PaymentAttempt, PaymentReversal } from '../contract/payment-details.ts';
export type { ListPayments, PaymentsCsv } from '../contract/payment-query.ts';
export type { PropertyInput } from '../contract/property.ts';
export type {
  PropertyList,
  PropertyPatch,
  PropertyResource,
  PropertySettings,
  PropertySummary,
  PropertyVersion,
  ResealedProperty,
} from '../contract/property-resource.ts';
export type { PropertyStatus } from '../contract/property-status.ts';
export type {
  RecordedResolution,
  RecordedSessionResolution,
  Resolution,
  SessionResolution,
} from '../contract/resolution.ts';
export type { CreateReversal, Reversal, ReversalReason } from '../contract/reversal.ts';
export type { WebhookEndpoint, WebhookEndpointList } from '../contract/webhook-endpoint.ts';
export { MerchantError } from '../errors.ts';
export type { RawBody } from '../transport/exchange.ts';
export { createMerchantClient } from './create-merchant-client.ts';
export type { EventFeed, FollowEvents, ListEvents } from './events.ts';
export type { List } from './list.ts';
export type {
  IdempotentCallOptions,
  ListCheckoutSessions,
  MerchantClient,
  MoneyOperations,
} from './merchant-client.ts';
export type { MerchantCallOptions, MerchantClientOptions } from './merchant-transport.ts';
export {
  createPlatformClient,
  type ListProperties,
  type ListPropertyVersions,
  type PlatformClient,
  type PlatformClientOptions,
  type VersionOptions,
} from './platform-client.ts';
