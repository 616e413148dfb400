/** Defines `<payments-list>`. Import path: `@innkeep/desk/define/payments-list`. */
import { defineElement } from '../../base/define-element.ts';
import { PaymentsList } from './payments-list.ts';

defineElement('payments-list', PaymentsList);
