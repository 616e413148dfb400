/** Defines `<payment-details>`. Import path: `@innkeep/desk/define/payment-details`. */
import { defineElement } from '../../base/define-element.ts';
import { PaymentDetails } from './payment-details.ts';

// So that `document.querySelector` knows the tag.
export type { PaymentDetails } from './payment-details.ts';

defineElement('payment-details', PaymentDetails);
