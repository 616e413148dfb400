/** Defines `<save-card-widget>`. Import path: `@innkeep/widgets/define/save-card-widget`. */
import { defineElement } from '../../base/define-element.ts';
import { SaveCardWidget } from './save-card-widget.ts';

defineElement('save-card-widget', SaveCardWidget);
