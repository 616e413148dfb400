/** The look of every element: one calm card that fits 280 px and a full row alike. */
import { type CSSResult, css } from 'lit';

export const widgetStyles: CSSResult = css`
  :host {
    display: block;
    inline-size: 100%;
    container-type: inline-size;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  .base {
    display: grid;
    gap: calc(var(--_unit) * 4);
    padding: calc(var(--_unit) * 6);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    box-shadow: var(--pay-box-shadow, 0 1px 2px #0000000a, 0 8px 24px -12px #0000001f);
    color: var(--_text);
    font: var(--_size) / 1.5 var(--pay-font-family, inherit);
    overflow-wrap: anywhere;
    text-align: start;
  }
  .summary,
  .text,
  .notes,
  .action {
    display: grid;
    gap: var(--_unit);
  }
  .hotel,
  .row,
  .status,
  .secure {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: calc(var(--_unit) * 3);
  }
  .hotel,
  .title,
  .total {
    font-weight: var(--_bold);
  }
  .badge {
    padding: 0 calc(var(--_unit) * 2);
    border: 1px solid;
    border-radius: 99px;
    color: var(--_warning);
    font-size: 0.75em;
  }
  .amount {
    font-size: 2.125em;
    font-weight: var(--_bold);
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.02em;
    line-height: 1.2;
  }
  .muted,
  .notes,
  dt {
    color: var(--_muted);
    font-size: 0.875em;
  }
  .status {
    justify-content: start;
    align-items: start;
    border-radius: var(--_radius);
    outline: none;
  }
  .text {
    gap: 0;
    align-self: center;
  }
  .title {
    font-size: 1.0625em;
  }
  svg {
    inline-size: 1.25em;
    block-size: 1.25em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .icon {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.75em;
    block-size: 2.75em;
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
  .opening .icon,
  .waiting .icon {
    color: var(--_primary);
  }
  .spinner {
    inline-size: 1.25em;
    block-size: 1.25em;
    border: 2px solid;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
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
    gap: calc(var(--_unit) * 2.5);
    min-block-size: 48px;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 5);
    border: 1px solid var(--_border);
    border-radius: var(--pay-button-border-radius, calc(var(--_radius) - 4px));
    background: none;
    color: var(--_primary);
    font: inherit;
    font-weight: var(--_bold);
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.15s,
      box-shadow 0.15s;
  }
  .button {
    border-color: var(--_primary);
    background: var(--_primary);
    box-shadow: 0 1px 2px #0000001f;
    color: var(--_on-primary);
  }
  .button:hover {
    background: color-mix(in srgb, var(--_primary) 88%, var(--_on-primary));
  }
  .link:hover {
    background: color-mix(in srgb, var(--_primary) 7%, transparent);
  }
  .button[aria-disabled='true'] {
    cursor: progress;
  }
  :focus-visible {
    outline: var(--pay-focus-outline, 3px solid var(--_primary));
    outline-offset: 2px;
  }
  .secure {
    justify-content: start;
    gap: calc(var(--_unit) * 2);
  }
  .receipt {
    display: grid;
    gap: calc(var(--_unit) * 2.5);
    padding-block-start: calc(var(--_unit) * 4);
    border-block-start: 1px dashed var(--_border);
  }
  .row {
    align-items: baseline;
  }
  dd {
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  .total > * {
    color: inherit;
    font-size: 1.125em;
  }
  .skeleton i {
    block-size: 1.5em;
    inline-size: 50%;
    border-radius: 6px;
    background: var(--_border);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .skeleton .amount {
    block-size: 1.2em;
    inline-size: 70%;
  }
  .skeleton .button {
    inline-size: auto;
    min-block-size: 48px;
    border: 0;
    box-shadow: none;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @container (max-width: 340px) {
    .base {
      padding: calc(var(--_unit) * 4);
    }
  }
  @container (min-width: 600px) {
    .idle {
      grid-template-columns: 1fr 1fr;
      align-items: center;
    }
    .idle > slot,
    .idle > .status {
      grid-column: 1 / -1;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --_border: var(--_text);
      --_muted: var(--_text);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation-duration: 6s !important;
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .button {
      border-color: ButtonText;
    }
    .skeleton i {
      border: 1px solid;
    }
  }
  @media print {
    :host {
      color-scheme: light;
    }
    .base {
      box-shadow: none;
      break-inside: avoid;
    }
    .action,
    .notes {
      display: none;
    }
  }
`;
