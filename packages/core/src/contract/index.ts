/**
 * Every shape that crosses HTTP between the parts of Innkeep, as valibot schemas, and the types inferred from them. The
 * proxy parses requests with them, the OpenAPI documents are made of them, and the clients have their types.
 *
 * Requests are strict: an unknown field is an error. Answers are open, since a later version may add fields; only what a
 * guest sees is strict, so that nothing else can reach a page unnoticed.
 *
 * Import path: `@innkeep/core/contract`. Brings valibot: pages import the same types from `@innkeep/core/checkout`.
 *
 * @module
 */
export {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  AuditEntrySchema,
  AuditListSchema,
  AuditRangeSchema,
  type ListAudit,
  ListAuditSchema,
} from './audit.ts';
export { AUTHOR_SOURCES, type Author, AuthorSchema, isPerson } from './author.ts';
export { type Card, CardSchema, type CreateCard, CreateCardSchema } from './card.ts';
export {
  CHARGE_REASONS,
  type Charge,
  ChargeListSchema,
  type ChargeReason,
  ChargeReasonSchema,
  ChargeSchema,
  type CreateCharge,
  CreateChargeSchema,
  TOKEN_SOURCES,
} from './charge.ts';
export {
  type ClientSecret,
  ClientSecretSchema,
  type CreateClientSecret,
  CreateClientSecretSchema,
  type PaymentLink,
  PaymentLinkSchema,
} from './checkout-access.ts';
export {
  type CardResult,
  CardResultSchema,
  type CheckoutAttempt,
  CheckoutAttemptSchema,
  CheckoutErrorSchema,
  type CheckoutSurcharge,
  type PaymentResult,
  PaymentResultSchema,
  type RecordedFigures,
  RecordedFiguresSchema,
  SurchargeSchema,
} from './checkout-attempt.ts';
export {
  type CheckoutSession,
  CheckoutSessionListSchema,
  CheckoutSessionSchema,
  type CreateCardSession,
  CreateCardSessionSchema,
  type CreateCheckoutSession,
  CreateCheckoutSessionSchema,
  type CreatedCheckoutSession,
  CreatedCheckoutSessionSchema,
  type CreatePaymentSession,
  CreatePaymentSessionSchema,
  ListCheckoutSessionsSchema,
  MetadataSchema,
  SessionKeySchema,
} from './checkout-session.ts';
export {
  ATTEMPT_STATUSES,
  type AttemptStatus,
  AttemptStatusSchema,
  CHECKOUT_ERROR_CODES,
  CHECKOUT_KINDS,
  CHECKOUT_STATUSES,
  type CheckoutErrorCode,
  CheckoutErrorCodeSchema,
  type CheckoutKind,
  CheckoutKindSchema,
  type CheckoutStatus,
  CheckoutStatusSchema,
} from './checkout-status.ts';
export { DESK_FEATURE_SCOPES, DESK_FEATURES, type DeskFeature, DeskFeatureSchema } from './desk-feature.ts';
export {
  type CreateDeskPage,
  type CreateDeskSession,
  CreateDeskSessionSchema,
  type CreatedDeskPage,
  type CreatedDeskSession,
  CreatedDeskSessionSchema,
  DESK_SESSION_STATUSES,
  type Desk,
  type DeskEvent,
  DeskEventListSchema,
  DeskEventSchema,
  DeskPersonSchema,
  DeskSchema,
  type DeskSession,
  DeskSessionListSchema,
  DeskSessionSchema,
  type ListDeskSessions,
  ListDeskSessionsSchema,
  MAX_DESK_PAGE_SECONDS,
  MAX_DESK_SECONDS,
  OpenDeskPageSchema,
} from './desk-session.ts';
export {
  type EventAbout,
  EventListSchema,
  type EventPage,
  EventSchema,
  ListEventsSchema,
  type PlatformEvent,
  PlatformEventListSchema,
  PlatformEventSchema,
  WEBHOOK_EVENT_TYPES,
  type WebhookEvent,
  type WebhookEventType,
} from './event.ts';
export { AttemptNumberSchema, EmptySchema, MAX_ATTEMPTS } from './fields.ts';
export { GatewayCallSchema } from './gateway-call.ts';
export {
  CHECKOUT_PRESENTATIONS,
  type CheckoutPresentation,
  type CheckoutReceipt,
  CheckoutReceiptSchema,
  type CheckoutView,
  CheckoutViewSchema,
  GuestErrorSchema,
  type StartCheckout,
  StartCheckoutSchema,
  type StartedCheckout,
  StartedCheckoutSchema,
} from './guest-view.ts';
export { HealthSchema } from './health.ts';
export {
  type MerchantKey,
  MerchantKeySchema,
  PLATFORM_SCOPES,
  type PlatformScope,
  SCOPE_WORDS,
  SCOPES,
  type Scope,
} from './key.ts';
export { type ExportRange, ExportRangeSchema, type ListQuery, type Page } from './list.ts';
export { AmountSchema, CurrencySchema, type MoneyJson, MoneySchema } from './money.ts';
export {
  ListMoneyOperationsSchema,
  MONEY_OPERATION_ERROR_CODES,
  MONEY_OPERATION_STATUSES,
  type MoneyOperationError,
  type MoneyOperationErrorCode,
  MoneyOperationErrorSchema,
  type MoneyOperationStatus,
  MoneyOperationStatusSchema,
} from './money-operation.ts';
export {
  PAYMENT_FLAGS,
  PAYMENT_LINE_KINDS,
  PAYMENT_STATUSES,
  PAYMENT_TYPES,
  type PaymentCard,
  PaymentCardSchema,
  type PaymentFlag,
  type PaymentLine,
  type PaymentLineKind,
  PaymentLineSchema,
  PaymentListSchema,
  type PaymentPage,
  type PaymentStatus,
  PaymentStatusSchema,
  type PaymentTotals,
  PaymentTotalsSchema,
  type PaymentType,
} from './payment.ts';
export {
  type Payment,
  type PaymentAttempt,
  PaymentAttemptSchema,
  type PaymentReversal,
  PaymentReversalSchema,
  PaymentSchema,
} from './payment-details.ts';
export {
  CSV_SEPARATORS,
  type ListPayments,
  ListPaymentsSchema,
  type PaymentsCsv,
  PaymentsCsvSchema,
} from './payment-query.ts';
export {
  type PlatformFields,
  type PlatformInput,
  type PlatformKey,
  type PlatformKeyList,
  PlatformKeyListSchema,
  PlatformSchema,
  type PlatformWebhook,
  PropertyIdSchema,
  parsePlatformFields,
} from './platform.ts';
export { PROBLEM_STATUSES, type Problem, type ProblemCode, ProblemCodeSchema, ProblemSchema } from './problem.ts';
export {
  AMOUNT_UNITS,
  type AmountUnit,
  EXPIRES_IN_UNITS,
  GATEWAY_KEY_PLACES,
  type GatewaySettings,
  MAX_PROPERTY_BYTES,
  MAX_SECRET_BYTES,
  OriginSchema,
  type PropertyFields,
  type PropertyInput,
  PropertySchema,
  type WebhookSettings,
} from './property.ts';
export { type PropertyIssue, type PropertyIssues, parsePropertyFields } from './property-check.ts';
export {
  ListPropertiesSchema,
  ListPropertyVersionsSchema,
  PROPERTY_ACTIONS,
  PROPERTY_EXAMPLE,
  PROPERTY_SOURCES,
  PROPERTY_STATUSES,
  type PropertyList,
  PropertyListSchema,
  type PropertyPatch,
  PropertyPatchSchema,
  type PropertyResource,
  PropertyResourceSchema,
  type PropertySettings,
  type PropertySummary,
  PropertySummarySchema,
  type PropertyVersion,
  PropertyVersionListSchema,
  PropertyVersionSchema,
  type ResealedProperty,
  ResealedPropertySchema,
  ResealPropertySchema,
  RollBackSchema,
} from './property-resource.ts';
export {
  LEDGER_STATUSES,
  LedgerStatusSchema,
  type PropertyStatus,
  PropertyStatusSchema,
  ResourceCountsSchema,
  UPSTREAM_STATUSES,
} from './property-status.ts';
export {
  RESOLUTION_STATUSES,
  type RecordedResolution,
  RecordedResolutionSchema,
  type RecordedSessionResolution,
  RecordedSessionResolutionSchema,
  type Resolution,
  ResolutionSchema,
  ResolutionStatusSchema,
  type SessionResolution,
  SessionResolutionSchema,
} from './resolution.ts';
export {
  type CreateReversal,
  CreateReversalSchema,
  REVERSAL_REASONS,
  type Reversal,
  ReversalListSchema,
  type ReversalReason,
  ReversalReasonSchema,
  ReversalSchema,
} from './reversal.ts';
export { type RuleIssue, ruleInWords } from './rule.ts';
export {
  WEBHOOK_ENDPOINT_STATUSES,
  type WebhookEndpoint,
  type WebhookEndpointList,
  WebhookEndpointListSchema,
  WebhookEndpointSchema,
  WebhookEndpointStatusSchema,
} from './webhook-endpoint.ts';
