import { html } from 'hono/html';
import type { Changes } from '../journal.ts';
import { exchangeRow, LANES } from './exchange-row.ts';
import { countOf, type Markup } from './marked-text.ts';
import { type Scope, scopeFields, viewHref } from './scope.ts';

/** The sequence of requests: four lanes, one arrow for each request, oldest first. */
export function requestsView({ entries, revision }: Pick<Changes, 'entries' | 'revision'>, scope: Scope): Markup {
  return html`<div class="wire-tools" data-revision="${revision}">
  ${
    scope.booking === null
      ? ''
      : html`<p class="wire-scope" role="group" aria-label="Which requests">
    <a href="${viewHref('requests', { ...scope, isAll: false })}" data-view="requests" data-scope="this"${scope.isAll ? '' : html` aria-current="true"`}>This payment</a>
    <a href="${viewHref('requests', { ...scope, isAll: true })}" data-view="requests" data-scope="all"${scope.isAll ? html` aria-current="true"` : ''}>All</a>
  </p>`
  }
  <p class="wire-count" data-count>${countOf(entries.length, 'request')}</p>
  <form method="post" action="/wire/clear">${scopeFields(scope, 'requests')}<button class="wire-button" type="submit">Clear</button></form>
</div>
<ul class="lanes" aria-label="Who takes part">${LANES.map(({ participant, name }) => html`<li data-lane="${participant}">${name}</li>`)}</ul>
<p class="wire-empty" data-empty${entries.length === 0 ? '' : html` hidden`}>Nothing yet.</p>
<ol class="sequence" aria-label="Requests, oldest first" data-rows>${entries.map(exchangeRow)}</ol>
${scope.from === '/' ? html`<p class="wire-lead">Book a room and pay: every request appears here as it happens.</p>` : ''}
<p class="wire-note">The upstream’s credentials live in the tinted half, with the proxy. The browser and the hotel’s server never get them.
<span class="cut">name<span class="cut-word"> — redacted</span></span> stands where something was cut out before it was stored here.</p>`;
}
