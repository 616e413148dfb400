/** Defines every element. Import path: `@innkeep/widgets/define`; also the entry of the script-tag files. */
import './elements/pay-widget/define.ts';
import './elements/payment-status/define.ts';
import './elements/save-card-widget/define.ts';
