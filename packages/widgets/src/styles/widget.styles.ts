/**
 * The look of every element: one calm card that fits 280 px and a full row alike. It stretches, which in a flex box a block does not:
 * 100 % would be too wide with a margin or padding that the page gives it.
 *
 * As a container the card has no width of its own, and a float or a table cell asks for one. The width it gets is that of a
 * line of no height before the card: an indentation of 10rem, and a space of as much that may break. Of the page's text styles only the typeface
 * is inherited, outside the shorthand, which does not take `inherit` for one of its values.
 */
import { type CSSResult, unsafeCSS } from '#lit';

export const widgetStyles: CSSResult = unsafeCSS(`
  :host {
    display: block;
    box-sizing: border-box;
    inline-size: -moz-available;
    inline-size: -webkit-fill-available;
    inline-size: stretch;
    max-inline-size: 100%;
    min-inline-size: min(16rem, 100%);
  }
  :host([hidden]) {
    display: none;
  }
  :host::before {
    display: block;
    block-size: 0;
    overflow: hidden;
    visibility: hidden;
    content: '. .';
    font-size: 0;
    letter-spacing: normal;
    text-indent: 10rem;
    white-space: normal;
    word-spacing: 10rem;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  .base {
    container-type: inline-size;
    display: grid;
    gap: calc(var(--_unit) * 5);
    padding: clamp(var(--_unit) * 4, 7%, var(--_unit) * 7);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    box-shadow: var(--pay-box-shadow, 0 8px 32px -16px #0003);
    color: var(--_text);
    font: var(--_size) / 1.5 serif;
    font-family: var(--pay-font-family, inherit);
    font-variant-numeric: tabular-nums;
    letter-spacing: normal;
    overflow-wrap: anywhere;
    text-align: start;
    text-indent: 0;
    text-shadow: none;
    text-transform: none;
    white-space: normal;
    word-break: normal;
    word-spacing: normal;
  }
  .summary,
  .receipt,
  .notes,
  .action {
    display: grid;
    gap: calc(var(--_unit) * 2);
  }
  .hotel,
  .row,
  .status {
    display: flex;
    align-items: center;
    gap: calc(var(--_unit) * 3.5);
  }
  .hotel,
  .title,
  .total,
  .amount,
  .icon,
  .button,
  .link {
    font-weight: var(--_bold);
  }
  .badge {
    flex: none;
    padding: 0 calc(var(--_unit) * 2);
    border: 1px solid;
    border-radius: 99px;
    color: var(--_warning);
    font-size: 0.75em;
  }
  .amount {
    font-size: clamp(1.25em, 9.5cqi, 2.25em);
    line-height: 1.2;
  }
  .description,
  .hint,
  .notes,
  dt {
    color: var(--_muted);
    font-size: 0.875em;
  }
  .status {
    outline: none;
  }
  svg,
  .spinner {
    inline-size: 1.4em;
    block-size: 1.4em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
  }
  .brand {
    inline-size: 1.65em;
    block-size: 1.1em;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_border);
    stroke: none;
    vertical-align: -0.15em;
  }
  .brands .brand {
    font-size: 1.4em;
  }
  .brands {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--_unit);
    padding-block-end: var(--_unit);
  }
  .icon {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 3em;
    block-size: 3em;
    border-radius: 50%;
    background: color-mix(in srgb, currentColor 12%, transparent);
    color: var(--_warning);
  }
  .succeeded .icon {
    color: var(--_success);
  }
  .failed .icon,
  .error .icon {
    color: var(--_danger);
  }
  .waiting .icon {
    color: var(--_primary);
  }
  .spinner {
    border: 2px solid;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  .button,
  .link {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: calc(var(--_unit) * 2);
    min-block-size: 3.25em;
    padding: var(--_unit) calc(var(--_unit) * 4);
    border: 1px solid var(--_border);
    border-radius: var(--pay-button-border-radius, calc(var(--_radius) - 4px));
    background: none;
    color: var(--_primary);
    font-family: inherit;
    font-size: 1em;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
  }
  .button {
    border-color: var(--_primary);
    background: var(--_primary);
    color: var(--_on-primary);
  }
  .button:hover {
    background: color-mix(in srgb, var(--_primary) 88%, var(--_on-primary));
  }
  :focus-visible {
    outline: var(--pay-focus-outline, 3px solid var(--_primary));
    outline-offset: 2px;
  }
  .notes {
    gap: 0;
    text-align: center;
  }
  .receipt {
    padding-block-start: calc(var(--_unit) * 5);
    border-block-start: 1px dashed var(--_border);
  }
  .row {
    flex-wrap: wrap;
    align-items: baseline;
    row-gap: 0;
  }
  .badge,
  dd {
    margin-inline-start: auto;
    text-align: end;
  }
  .total > * {
    color: inherit;
    font-size: 1.25em;
  }
  i,
  i.button {
    block-size: 1.5em;
    inline-size: 50%;
    border: 1px solid #0000;
    border-radius: 6px;
    background: var(--_border);
    animation: breathe 1s ease-in-out infinite alternate;
  }
  i.button {
    inline-size: auto;
    border: 0;
  }
  @keyframes breathe {
    to {
      opacity: 0.5;
    }
  }
  .live {
    contain: inline-size;
    block-size: 1px;
    margin-block-start: -1px;
    opacity: 0;
    overflow: hidden;
  }
  .idle,
  .opening {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr));
    align-items: center;
  }
  ::slotted(*) {
    grid-column: 1 / -1;
  }
  @media (prefers-contrast: more) {
    :host {
      --_border: var(--_text);
      --_muted: var(--_text);
    }
  }
  @media (forced-colors: active) {
    .spinner {
      border-inline-end-color: Canvas;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation-duration: 6s !important;
    }
  }
  @media print {
    .base {
      color-scheme: light;
    }
    .action,
    [part='continue'] {
      display: none;
    }
  }
`);
