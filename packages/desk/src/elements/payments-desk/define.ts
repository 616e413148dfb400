/** Defines `<payments-desk>` and its parts. Import path: `@innkeep/desk/define/payments-desk`. */
import '../payment-details/define.ts';
import '../payments-list/define.ts';
import { defineElement } from '../../base/define-element.ts';
import { PaymentsDesk } from './payments-desk.ts';

// So that `document.querySelector` knows the tag.
export type { PaymentsDesk } from './payments-desk.ts';

defineElement('payments-desk', PaymentsDesk);
