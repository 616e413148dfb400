/** Defines `<pay-widget>`. Import path: `@innkeep/widgets/define/pay-widget`. */
import { defineElement } from '../../base/define-element.ts';
import { PayWidget } from './pay-widget.ts';

// So that `document.querySelector` knows the tag.
export type { PayWidget } from './pay-widget.ts';

defineElement('pay-widget', PayWidget);
