/** Marks of card brands, drawn inline: a strict policy allows no image addresses. */
import type { CardBrand } from '@innkeep/core/values';
import { html, svg, type TemplateResult } from '#lit';

/** Name, and either letters on a color or the colors of two circles. */
const MARKS = {
  visa: ['Visa', 'VISA', '#1434cb'],
  mastercard: ['Mastercard', '#eb001b', '#f79e1b'],
  maestro: ['Maestro', '#eb001b', '#00a2e5'],
  amex: ['American Express', 'AMEX', '#016fd0'],
  discover: ['Discover', 'DISC', '#c14c0e'],
  diners: ['Diners Club', 'DC', '#004c97'],
  jcb: ['JCB', 'JCB', '#0b6e3f'],
  unionpay: ['UnionPay', 'UP', '#00447c'],
} as const satisfies Readonly<Record<CardBrand, readonly [name: string, one: string, other: string]>>;

/** The mark of a brand, with its name for screen readers. One that only a newer proxy knows has a mark without letters. */
export function brandMark(brand: CardBrand | (string & {})): TemplateResult {
  const [name, one, other] = Object.hasOwn(MARKS, brand) ? MARKS[brand as CardBrand] : [brand, '', '#555'];
  const isCircles = one.startsWith('#');
  return html`<svg class="brand" part="brand" role="img" aria-label=${name} viewBox="0 0 36 24">
    <rect width="36" height="24" rx="4" fill=${isCircles ? '#fff' : other} />
    ${
      isCircles
        ? svg`<circle cx="14" cy="12" r="7" fill=${one} /><circle cx="22" cy="12" r="7" fill=${other} fill-opacity=".85" />`
        : svg`<text x="18" y="16" fill="#fff" font-size="10" font-weight="700" text-anchor="middle">${one}</text>`
    }
  </svg>`;
}
