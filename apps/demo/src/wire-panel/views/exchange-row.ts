import { html } from 'hono/html';
import type { Exchange, Participant } from '../exchange.ts';
import { type Markup, redactedText } from './redacted-text.ts';

/** The participants, from the guest to the money: left to right. */
export const LIFELINES: readonly { readonly participant: Participant; readonly name: string }[] = [
  { participant: 'browser', name: 'Browser' },
  { participant: 'hotel', name: 'Hotel' },
  { participant: 'proxy', name: 'Proxy' },
  { participant: 'upstream', name: 'Upstream' },
];

/** One exchange as an arrow between two lifelines. Opening it loads its headers and bodies. */
export function exchangeRow(exchange: Exchange): Markup {
  const { id, from, to, method, path, caption, kind, state, durationMs } = exchange;
  return html`<li class="x" id="x-${id}" data-id="${id}" data-from="${from}" data-to="${to}" data-kind="${kind}" data-state="${state}">
  <details>
    <summary>
      <span class="x-lifelines" aria-hidden="true"><span class="x-arrow"></span></span>
      <span class="x-text">
        <span class="x-caption"><span class="wire-hidden">${nameOf(from)} to ${nameOf(to)}: </span>${caption}</span>
        <span class="x-line"><code>${method} ${redactedText(path)}</code> ${outcome(exchange)} <span class="x-time">${durationMs === null ? '' : `${Math.round(durationMs)} ms`}</span></span>
      </span>
    </summary>
    <div class="x-detail"><a href="/wire/exchanges/${id}">Headers and bodies</a></div>
  </details>
</li>`;
}

/** The name of a participant in a sentence. */
export function nameOf(participant: Participant): string {
  return participant === 'hotel' ? 'hotel’s server' : participant;
}

function outcome({ state, answer }: Exchange): Markup {
  if (state === 'lost') return html`<span class="x-status x-bad">no answer</span>`;
  if (answer === null) return html`<span class="x-status">waiting</span>`;
  const tone = answer.status >= 400 ? 'x-bad' : answer.status >= 300 ? '' : 'x-good';
  return html`<span class="x-status ${tone}">${answer.status}</span>`;
}
