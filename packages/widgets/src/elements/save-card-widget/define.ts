/** Defines `<save-card-widget>`. Import path: `@innkeep/widgets/define/save-card-widget`. */
import { defineElement } from '../../base/define-element.ts';
import { SaveCardWidget } from './save-card-widget.ts';

// So that `document.querySelector` knows the tag.
export type { SaveCardWidget } from './save-card-widget.ts';

defineElement('save-card-widget', SaveCardWidget);
