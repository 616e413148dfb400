/** Defines `<payment-status>`. Import path: `@innkeep/widgets/define/payment-status`. */
import { defineElement } from '../../base/define-element.ts';
import { PaymentStatus } from './payment-status.ts';

// So that `document.querySelector` knows the tag.
export type { PaymentStatus } from './payment-status.ts';

defineElement('payment-status', PaymentStatus);
