/** Element classes, their types and texts, without side effects. Import path: `@innkeep/widgets`. */
export type {
  CheckoutKind,
  CheckoutReceipt,
  CheckoutStatus,
  CheckoutSurcharge,
  CheckoutView,
} from '@innkeep/core/checkout';
export type { Presentation } from './controllers/hosted-page.ts';
export { PayWidget } from './elements/pay-widget/pay-widget.ts';
export { PaymentStatus } from './elements/payment-status/payment-status.ts';
export { SaveCardWidget } from './elements/save-card-widget/save-card-widget.ts';
export type {
  PayErrorCode,
  PayErrorDetail,
  PayEventDetail,
  PayEventMap,
  PayStateChangeDetail,
} from './events/pay-events.ts';
export type { PluralMessage } from './localization/format.ts';
export { registerLocale } from './localization/locale-loader.ts';
export type { Messages } from './localization/messages.ts';
export type { PayState } from './state/pay-state.ts';
