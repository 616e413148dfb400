import { html } from 'hono/html';
import type { Exchange, MarkedMessage } from '../exchange.ts';
import { nameOf } from './exchange-row.ts';
import { countOf, formatBytes, type Markup, markedText } from './marked-text.ts';

/** Everything that is known of one exchange. */
export function exchangeDetail(exchange: Exchange): Markup {
  const { from, to, method, path, request, answer, state } = exchange;
  return html`<p class="x-url"><code>${method} ${markedText(path)}</code></p>
${message(`Request: ${nameOf(from)} to ${nameOf(to)}`, request)}
${
  answer === null
    ? html`<p class="x-none">${state === 'lost' ? 'The connection ended without an answer.' : 'The answer is awaited.'}</p>`
    : message(`Answer: ${answer.status}`, answer)
}
${searchResult(exchange)}`;
}

function message(title: string, { headers, body }: MarkedMessage): Markup {
  return html`<section class="x-message">
  <h3>${title}</h3>
  ${
    body === null
      ? ''
      : html`<p class="x-none">${body.type === '' ? 'Body' : body.type}, ${formatBytes(body.bytes)}${body.note === undefined ? '' : `. ${body.note}`}</p>
  ${body.text === null ? '' : html`<pre tabindex="0" aria-label="Body"><code>${markedText(body.text)}</code></pre>`}`
  }
  <details class="x-headers"><summary>${countOf(headers.length, 'header')}</summary>
    <dl>${headers.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${markedText(value)}</dd></div>`)}</dl>
  </details>
</section>`;
}

function searchResult({ search }: Exchange): Markup | '' {
  if (search === undefined) return '';
  const bytes = formatBytes(search.sentBytes + search.receivedBytes);
  if (search.found.length > 0) {
    const places = search.found.map(({ name, where }) => `${name} (in the ${where})`).join(', ');
    return html`<p class="x-leak">Found in what the browser saw: ${places}.</p>`;
  }
  return html`<p class="x-none">Searched for ${countOf(search.searched.length, 'credential')} in ${bytes} that the browser sent and received${search.isWhole ? '' : ' (the beginning of it)'}: none found.</p>`;
}
