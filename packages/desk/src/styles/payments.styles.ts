/**
 * The look of payments: lines that fit 360 px and a wide screen alike, their sums, and one payment with its timeline. On a telephone each
 * total has a line of its own.
 */
import { type CSSResult, unsafeCSS } from 'lit';

export const paymentsStyles: CSSResult = unsafeCSS(`
  .line {
    display: grid;
    grid-template-columns: 1fr auto;
    grid-template-areas: 'what sum' 'time state';
    gap: 0 calc(var(--_unit) * 3);
    align-items: center;
    inline-size: 100%;
    padding: calc(var(--_unit) * 2.5) calc(var(--_unit) * 2);
    border: 0;
    border-block-end: 1px solid var(--_border);
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    cursor: pointer;
  }
  .line time {
    grid-area: time;
  }
  .what {
    grid-area: what;
  }
  q,
  .line .hint {
    display: block;
    font-weight: normal;
  }
  .state {
    grid-area: state;
  }
  .sum {
    grid-area: sum;
  }
  [aria-current] {
    background: color-mix(in srgb, var(--_primary) 12%, transparent);
    padding-inline-start: calc(var(--_unit) * 2 - 3px);
    border-inline-start: 3px solid var(--_primary);
  }
  @container (max-width: 30em) {
    thead {
      display: none;
    }
    tr > * {
      display: flex;
      flex-wrap: wrap;
      gap: 0 calc(var(--_unit) * 3);
    }
    td::before {
      content: attr(data-name);
      margin-inline-end: auto;
    }
    td bdi {
      order: 1;
    }
  }
  @container (max-width: 16em) {
    .line {
      display: block;
    }
  }
  @container (min-width: 35em) {
    .line {
      grid-template-columns: minmax(4em, max-content) 1fr minmax(8em, max-content) minmax(7em, max-content);
      grid-template-areas: 'time what state sum';
    }
  }
  .waiting i {
    display: block;
    block-size: 2.2em;
    margin-block: calc(var(--_unit) * 3);
    border-radius: 6px;
    background: var(--_border);
  }
  @keyframes breathe {
    to {
      opacity: 0.5;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .waiting i {
      animation: breathe 1s infinite alternate;
    }
  }
  .empty {
    padding: calc(var(--_unit) * 6) 0;
  }
  .urgent,
  .notice,
  .action {
    padding: calc(var(--_unit) * 3);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .urgent,
  .notice.warn {
    border-color: var(--_warning);
    color: inherit;
  }
  .notice.bad {
    border-color: currentColor;
  }
  .message {
    outline: none;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875em;
    overflow-wrap: normal;
  }
  td > * {
    display: block;
  }
  th,
  td {
    padding: var(--_unit);
    border-block-end: 1px solid var(--_border);
    text-align: end;
    vertical-align: baseline;
  }
  caption,
  th:first-child {
    text-align: start;
  }
  .sums div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 calc(var(--_unit) * 3);
    padding-block: var(--_unit);
  }
  .state,
  .sum,
  dd {
    text-align: end;
  }
  .action dd {
    margin-block-end: calc(var(--_unit) * 2);
    text-align: start;
  }
  .timeline li {
    display: grid;
    gap: 0 calc(var(--_unit) * 3);
    padding: 0 calc(var(--_unit) * 3) calc(var(--_unit) * 3);
    border-inline-start: 2px solid var(--_border);
  }
  td > *,
  .card {
    white-space: nowrap;
  }
  .brand {
    inline-size: 1.65em;
    block-size: 1.1em;
    margin-inline-end: var(--_unit);
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_border);
    vertical-align: -0.15em;
  }
  .qr {
    max-inline-size: 100%;
    block-size: auto;
  }
  .live {
    position: absolute;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .with-side > payments-list {
    display: none;
  }
  @container (min-width: 56em) {
    .bar .search {
      flex: 9 1 18em;
    }
    .with-side {
      display: grid;
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
      gap: calc(var(--_unit) * 6);
      align-items: start;
    }
    .with-side > payments-list {
      display: block;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --_border: var(--_text);
      --_muted: var(--_text);
    }
  }
  @media print {
    .base {
      color-scheme: light;
    }
    .search,
    .bar:has(:disabled),
    .buttons,
    .primary,
    .plain:not(.more) {
      display: none;
    }
  }
`);
