import { html } from 'hono/html';
import type { Exchange } from '../exchange.ts';
import { exchangeRow, LIFELINES } from './exchange-row.ts';
import { type Markup, REDACTION } from './redacted-text.ts';
import { type Scope, scopeFields, viewHref } from './scope.ts';

/** The sequence of requests: four lifelines, one arrow for each request, oldest first. */
export function requestsView(exchanges: readonly Exchange[], scope: Scope): Markup {
  return html`<div class="wire-tools">
  ${
    scope.booking === null
      ? ''
      : html`<p class="wire-choice" role="group" aria-label="Which requests">
    <a class="wire-button" href="${viewHref('requests', { ...scope, isAll: false })}"${scope.isAll ? '' : html` aria-current="true"`}>This payment</a>
    <a class="wire-button" href="${viewHref('requests', { ...scope, isAll: true })}"${scope.isAll ? html` aria-current="true"` : ''}>All</a>
  </p>`
  }
  <label class="wire-filter"><input type="checkbox" id="wire-minor"> Files and polling</label>
  <form method="post" action="/wire/clear">${scopeFields(scope, 'requests')}<button class="wire-button" type="submit">Clear</button></form>
</div>
<ul class="lifelines" aria-label="Who takes part">${LIFELINES.map(({ participant, name }) => html`<li data-lifeline="${participant}">${name}</li>`)}</ul>
<p class="wire-empty">Nothing yet. Book a room and pay: every request appears here as it happens.</p>
<ol class="sequence" aria-label="Requests, oldest first" data-rows>${exchanges.map(exchangeRow)}</ol>
<p class="wire-note">The tinted half holds the credentials for the payment service. The browser and the hotel’s server never get them.
${REDACTION} marks what was removed before the request was recorded.</p>`;
}
