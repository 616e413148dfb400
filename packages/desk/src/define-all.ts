/** Defines every element. Import path: `@innkeep/desk/define`; also the entry of the script-tag file. */
import './elements/payments-desk/define.ts';
