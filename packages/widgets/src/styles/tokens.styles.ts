/**
 * The custom properties of every element. Sites set the public `--pay-*` names, called like the variables of Stripe's
 * appearance API; the rules read the private `--_*` ones, which know light from dark.
 */
import { type CSSResult, unsafeCSS } from '#lit';

/** The custom properties, for the host of an element. */
export const tokens: CSSResult = unsafeCSS(`
  :host {
    --_primary: var(--pay-color-primary, light-dark(#14513f, #a5dcc6));
    --_on-primary: var(--pay-accessible-color-on-color-primary, light-dark(#fff, #0b241b));
    --_background: var(--pay-color-background, light-dark(#fff, #161a19));
    --_text: var(--pay-color-text, light-dark(#1a211e, #edf2f0));
    --_muted: var(--pay-color-text-secondary, light-dark(#56615c, #a6b2ad));
    --_success: var(--pay-color-success, light-dark(#14713f, #6fd8a3));
    --_danger: var(--pay-color-danger, light-dark(#b0261d, #ffa49b));
    --_warning: var(--pay-color-warning, light-dark(#7e5200, #f0c368));
    --_border: var(--pay-color-border, light-dark(#dfe5e2, #333c38));
    --_radius: var(--pay-border-radius, 14px);
    --_unit: var(--pay-spacing-unit, 4px);
    --_size: var(--pay-font-size-base, 1rem);
    --_bold: var(--pay-font-weight-medium, 600);
  }
  .light {
    color-scheme: light;
  }
  .dark {
    color-scheme: dark;
  }
  .system {
    color-scheme: light dark;
  }
`);
