/**
 * The look of the desk: headings, bars, forms, buttons and states. A telephone zooms in on fields with letters below 1rem. As a container it
 * has no width of its own, so it stretches, which a block does not where a page centers it.
 */
import { type CSSResult, unsafeCSS } from 'lit';

export const deskStyles: CSSResult = unsafeCSS(`
  :host {
    display: block;
    inline-size: -moz-available;
    inline-size: -webkit-fill-available;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  .base {
    container-type: inline-size;
    padding: calc(var(--_unit) * 3);
    background: var(--_background);
    color: var(--_text);
    font: var(--_size) / 1.45 serif;
    font-family: var(--pay-font-family, inherit);
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
    text-align: start;
  }
  :host(.part) .base {
    padding: 0;
  }
  .base > * + *,
  .side > * + *,
  .action > * + *,
  .action form > * + *,
  .pay-link .buttons,
  section > * + *,
  .notice > * + * {
    margin-block-start: calc(var(--_unit) * 3);
  }
  h1 {
    font-size: 1.4em;
  }
  h2 {
    font-size: 1.15em;
    outline-offset: 4px;
  }
  h3,
  .action h2 {
    font-size: 1em;
  }
  h1,
  h2,
  h3,
  th,
  .sum,
  .message,
  .reference {
    font-weight: var(--_bold);
  }
  ul,
  ol {
    padding: 0;
    list-style: none;
  }
  .steps {
    padding-inline-start: 1.4em;
    list-style: decimal;
  }
  .top,
  .head,
  .days,
  .buttons,
  .bar,
  .range {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
  }
  .days h2 {
    margin-inline-end: auto;
  }
  .top .primary {
    margin-inline: auto 0;
  }
  .bar {
    align-items: end;
  }
  .bar label {
    flex: 1 1 8em;
  }
  .bar .search {
    flex-basis: 100%;
  }
  .range {
    flex: 1 1 20em;
  }
  .range label {
    flex-basis: 11em;
    min-inline-size: 0;
  }
  label,
  .name {
    display: block;
  }
  label,
  .name,
  .hint,
  time,
  dt,
  caption {
    font-size: 0.875em;
  }
  input,
  select,
  textarea {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 2.75em;
    margin-block: var(--_unit);
    padding: var(--_unit) calc(var(--_unit) * 2.5);
    border: 1px solid var(--_muted);
    border-radius: 8px;
    background: var(--_background);
    color: inherit;
    font: inherit;
    font-size: max(1rem, var(--_size));
  }
  [aria-invalid] {
    border-color: var(--_danger);
  }
  .hint,
  .quiet,
  .empty,
  time,
  dt,
  caption,
  q,
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .error,
  .bad {
    color: var(--_danger);
  }
  .warn {
    color: var(--_warning);
  }
  .good {
    color: var(--_success);
  }
  .busy {
    color: var(--_primary);
  }
  .badge {
    display: inline-block;
    padding: 0 calc(var(--_unit) * 2);
    border: 1px solid;
    border-radius: 99px;
    font-size: 0.8em;
    white-space: nowrap;
  }
  .primary,
  .plain {
    display: inline-flex;
    align-items: center;
    gap: var(--_unit);
    min-block-size: 2.75em;
    padding: var(--_unit) calc(var(--_unit) * 3.5);
    border: 1px solid var(--_border);
    border-radius: var(--pay-button-border-radius, 8px);
    background: none;
    color: var(--_primary);
    font: inherit;
    text-decoration: none;
    cursor: pointer;
  }
  .primary {
    border-color: var(--_primary);
    background: var(--_primary);
    color: var(--_on-primary);
    font-weight: var(--_bold);
  }
  .plain:hover,
  .line:hover {
    background: color-mix(in srgb, var(--_primary) 8%, transparent);
  }
  [disabled],
  [aria-disabled='true'] {
    opacity: 0.6;
    cursor: default;
  }
  :focus-visible {
    outline: var(--pay-focus-outline, 3px solid var(--_primary));
    outline-offset: 1px;
  }
`);
