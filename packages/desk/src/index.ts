/** Element classes, their types and texts, without side effects. Import path: `@innkeep/desk`. */
export { parseAmount, writeAmount } from './values/amount.ts';
