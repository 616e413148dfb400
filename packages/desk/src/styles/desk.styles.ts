/** The look of the desk: lines that fit 360 px and a wide screen alike. */
import { type CSSResult, css } from 'lit';

export const deskStyles: CSSResult = css`
  :host {
    display: block;
    min-inline-size: 0;
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
  .action > * + *,
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
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
  }
  .top .primary,
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
    display: flex;
    flex: 2 1 17em;
    min-inline-size: 0;
    gap: calc(var(--_unit) * 3);
  }
  .bar .range label {
    flex: 1 1 0;
    min-inline-size: 0;
  }
  label,
  .name {
    display: block;
    font-size: 0.875em;
  }
  input,
  select,
  textarea {
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 2.75rem;
    padding: var(--_unit) calc(var(--_unit) * 2.5);
    border: 1px solid color-mix(in srgb, var(--_muted) 80%, transparent);
    border-radius: 8px;
    background: var(--_background);
    color: inherit;
    font: inherit;
    font-size: 1rem;
  }
  [aria-invalid] {
    border-color: var(--_danger);
  }
  .field + .field {
    margin-block-start: calc(var(--_unit) * 3);
  }
  form .buttons,
  .pay-link .buttons {
    margin-block-start: calc(var(--_unit) * 4);
  }
  form .notice {
    margin-block-end: calc(var(--_unit) * 4);
  }
  .hint,
  time,
  dt,
  caption {
    color: var(--_muted);
    font-size: 0.875em;
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
  .quiet {
    color: var(--_muted);
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
    min-block-size: 2.75rem;
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
  [disabled] {
    opacity: 0.6;
    cursor: default;
  }
  :focus-visible {
    outline: var(--pay-focus-outline, 3px solid var(--_primary));
    outline-offset: 1px;
  }
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
  .what > .hint {
    display: block;
  }
  .state {
    grid-area: state;
    text-align: end;
  }
  .sum {
    grid-area: sum;
    text-align: end;
  }
  .sum .hint {
    display: block;
    font-weight: normal;
  }
  [aria-current] {
    background: color-mix(in srgb, var(--_primary) 12%, transparent);
    box-shadow: inset 3px 0 var(--_primary);
  }
  /* Each sum has its currency: on a telephone that is enough for the eye. */
  @container (max-width: 400px) {
    .totals th:first-child {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  @container (min-width: 900px) {
    .bar .search {
      flex: 3 1 18em;
    }
  }
  @container (min-width: 560px) {
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
    animation: breathe 1s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.5;
    }
  }
  .empty {
    padding: calc(var(--_unit) * 6) 0;
    color: var(--_muted);
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
    font-weight: var(--_bold);
  }
  .totals {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875em;
    overflow-wrap: normal;
  }
  .totals td > * {
    display: block;
    white-space: nowrap;
  }
  .totals caption {
    text-align: start;
  }
  .totals th,
  .totals td {
    padding: var(--_unit);
    border-block-end: 1px solid var(--_border);
    text-align: end;
    vertical-align: baseline;
  }
  .totals th:first-child {
    text-align: start;
  }
  .sums div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 calc(var(--_unit) * 3);
    padding-block: var(--_unit);
  }
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
  q {
    display: block;
    color: var(--_muted);
  }
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
    background: #fff;
  }
  [dir='rtl'] .arrow {
    display: inline-block;
    scale: -1 1;
  }
  .live {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    opacity: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .with-side > payments-list {
    display: none;
  }
  .side > * + * {
    margin-block-start: calc(var(--_unit) * 3);
  }
  @container (min-width: 900px) {
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
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
    }
  }
  @media print {
    .bar,
    .buttons,
    .primary,
    .plain {
      display: none;
    }
  }
`;
