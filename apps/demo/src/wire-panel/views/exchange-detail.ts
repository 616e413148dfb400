import { html } from 'hono/html';
import type { Exchange, Message } from '../exchange.ts';
import { nameOf } from './exchange-row.ts';
import { type Markup, redactedText } from './redacted-text.ts';

/** Everything that is known of one exchange. */
export function exchangeDetail({ from, to, method, path, request, answer, state }: Exchange): Markup {
  return html`<p class="x-url"><code>${method} ${redactedText(path)}</code></p>
${message(`Request: ${nameOf(from)} to ${nameOf(to)}`, request)}
${
  answer === null
    ? html`<p class="x-none">${state === 'lost' ? 'The connection ended without an answer.' : 'Still waiting for the answer.'}</p>`
    : message(`Answer: ${answer.status}`, answer)
}`;
}

function message(title: string, { headers, body }: Message): Markup {
  const fields = Object.entries(headers);
  return html`<section class="x-message">
  <h3>${title}</h3>
  ${
    body === null
      ? ''
      : html`<p class="x-none">${[body.type || 'Body', body.note].filter(Boolean).join('. ')}</p>
  ${body.text === '' ? '' : html`<pre tabindex="0" aria-label="Body"><code>${redactedText(body.text)}</code></pre>`}`
  }
  <details class="x-headers"><summary>${fields.length} ${fields.length === 1 ? 'header' : 'headers'}</summary>
    <dl>${fields.map(([name, value]) => html`<div><dt>${name}</dt><dd>${redactedText(value)}</dd></div>`)}</dl>
  </details>
</section>`;
}
