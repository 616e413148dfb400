import { html } from 'hono/html';
import type { CredentialSearch } from '../exchange.ts';
import type { Changes, Entry } from '../journal.ts';
import { CREDENTIALS, type CredentialName } from '../secret-book.ts';
import { exchangeRow } from './exchange-row.ts';
import { countOf, formatBytes, type Markup } from './marked-text.ts';

type Searched = Entry & { readonly exchange: { readonly search: CredentialSearch } };

const WHERE_IT_LIVES: Readonly<Record<CredentialName, string>> = {
  'upstream user': 'The proxy logs in with it.',
  'upstream password': 'The proxy logs in with it.',
  'bearer token': 'The upstream gives it to the proxy after a login.',
  'gateway key': 'The proxy adds it to requests for the gateway.',
  'merchant key': 'The hotel’s server shows it to the proxy.',
  'webhook secret': 'The proxy signs what it tells the hotel’s server with it.',
  'stored-card token': 'The upstream gives it to the proxy, the proxy to the hotel’s server.',
};

/** What the browser sent and received, and that no credential was in it. */
export function browserView({ entries, revision }: Pick<Changes, 'entries' | 'revision'>): Markup {
  const seen = entries.filter(hasSearch);
  return html`<h3>What did the browser see?</h3>
<p class="wire-lead">Every byte the browser sent and received passed one of three taps, and each tap looked for each credential in it:
as it is, and as addresses, forms, JSON, XML and base64 write it.</p>
<ul class="verdicts" data-revision="${revision}">${CREDENTIALS.map((name) => verdict(name, seen))}</ul>
<h3>Everything the browser received</h3>
<p class="wire-empty"${seen.length === 0 ? '' : html` hidden`}>Nothing yet.</p>
<ol class="sequence sequence-plain">${seen.map(exchangeRow)}</ol>`;
}

function verdict(name: CredentialName, seen: readonly Searched[]): Markup {
  const searched = seen.filter(({ exchange }) => exchange.search.searched.includes(name));
  const leaks = searched.filter(({ exchange }) => exchange.search.found.some((found) => found.name === name));
  const bytes = searched.reduce((sum, { exchange: { search } }) => sum + search.sentBytes + search.receivedBytes, 0);
  const isWhole = searched.every(({ exchange }) => exchange.search.isWhole);
  const extent = `searched in ${countOf(searched.length, 'request')} and their answers, ${formatBytes(bytes)}${isWhole ? '' : ' (of the largest only the beginning)'}`;
  if (leaks.length > 0) {
    return html`<li class="verdict verdict-leak" data-credential="${name}"><strong>${name}</strong> <span class="verdict-word">FOUND</span>
    <span class="verdict-text">${extent}: found in ${leaks.map(({ exchange }) => html`<a href="#x-${exchange.id}">${exchange.caption}</a> `)}</span></li>`;
  }
  if (searched.length === 0) {
    return html`<li class="verdict verdict-idle" data-credential="${name}"><strong>${name}</strong> <span class="verdict-word">not in use yet</span>
    <span class="verdict-text">${WHERE_IT_LIVES[name]} There is none so far.</span></li>`;
  }
  return html`<li class="verdict verdict-clean" data-credential="${name}"><strong>${name}</strong> <span class="verdict-word">not found</span>
  <span class="verdict-text">${extent}: not found. ${WHERE_IT_LIVES[name]}</span></li>`;
}

function hasSearch(entry: Entry): entry is Searched {
  return entry.exchange.search !== undefined;
}
