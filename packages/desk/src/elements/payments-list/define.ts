/** Defines `<payments-list>`. Import path: `@innkeep/desk/define/payments-list`. */
import { defineElement } from '../../base/define-element.ts';
import { PaymentsList } from './payments-list.ts';

// So that `document.querySelector` knows the tag.
export type { PaymentsList } from './payments-list.ts';

defineElement('payments-list', PaymentsList);
