/** Element classes, their types and texts, without side effects. Import path: `@innkeep/desk`. */
export { type DeskChangeDetail, PaymentDetails } from './elements/payment-details/payment-details.ts';
export { PaymentsDesk } from './elements/payments-desk/payments-desk.ts';
export { type DeskFilterDetail, type DeskSelectDetail, PaymentsList } from './elements/payments-list/payments-list.ts';
export type { Messages } from './localization/messages.ts';
export type { PaymentFilter } from './values/payment-filter.ts';
