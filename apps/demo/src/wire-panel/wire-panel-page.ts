import type { ScenarioList } from '@innkeep/sandbox';
import { html } from 'hono/html';
import type { Exchange, Server } from './exchange.ts';

/** Markup that `html` has escaped already. */
type Markup = ReturnType<typeof html>;

const SERVERS: readonly Server[] = ['hotel', 'proxy', 'upstream'];

/** How far the clock can be moved at once, in milliseconds. */
export const STEPS: ReadonlyMap<string, number> = new Map([
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
]);

/** What the head of every page needs for the panel. The script is small and runs before the first paint, so that nothing shifts. */
export function wirePanelHead(): Markup {
  return html`<link rel="stylesheet" href="/public/wire-panel.css" media="screen">
    <script src="/public/wire-panel.js"></script>`;
}

/** The panel beside every page, which its script fills with the panel's page; without a script, a link to that page. */
export function wirePanelAside(): Markup {
  return html`<nav aria-label="Demo"><a class="wire-open" href="/wire">Wire panel</a></nav>
    <aside class="wire-panel" aria-label="Wire panel"><button class="wire-close" type="button">Close the wire panel</button></aside>`;
}

/** The page of the panel: every request with its answer, and forms that cause failures and move the clock. */
export function wirePanelPage(
  input: ScenarioList & {
    readonly exchanges: readonly Exchange[];
    /** The one server whose requests are shown. */
    readonly to: string | undefined;
    /** The hotel's time. */
    readonly now: Date;
    /** What went wrong with the last form. */
    readonly problem: string | undefined;
  },
): Markup {
  const { exchanges, to, now, problem, scenarios, chosen } = input;
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Wire panel · Hotel Aurora</title>
    <link rel="icon" href="/public/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/public/wire-panel.css">
    <script type="module" src="/public/wire-page.js"></script>
  </head>
  <body class="wire-page">
    <main>
      <h1>Wire panel</h1>
      ${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
      <details${chosen.length === 0 ? '' : ' open'}><summary>Faults and clock</summary>
        ${faultForm(scenarios, query)}
        <ul aria-label="Switched on">${chosen.map((each) => chosenRow(each, query))}</ul>
        <form method="post" action="/wire/clock${query}">
          <p>The hotel’s clock says ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC. The payment service’s clock moves with it. The proxy’s clock cannot be moved.</p>
          ${[...STEPS.keys()].map((step) => html`<button name="step" value="${step}">+ 1 ${step}</button> `)}
        </form>
      </details>
      <form method="post" action="/wire/clear${query}">
        <nav aria-label="Requests to">${filterLink('all', to === undefined)} ${SERVERS.map((server) => html`${filterLink(server, server === to)} `)}</nav>
        <button>Clear</button>
      </form>
      <ol reversed aria-label="Requests, newest first">${exchanges.map(exchangeRow)}</ol>
      <p>Book a room and pay: every request appears here. Secrets are redacted before a request is recorded.</p>
    </main>
  </body>
</html>`;
}

function filterLink(name: Server | 'all', isCurrent: boolean): Markup {
  const href = name === 'all' ? '/wire' : `/wire?to=${name}`;
  return html`<a href="${href}"${isCurrent ? html` aria-current="true"` : ''}>${name}</a>`;
}

function exchangeRow({ id, from, to, method, path, status, durationMs, request, answer }: Exchange): Markup {
  return html`<li id="x-${id}" data-from="${from}" data-to="${to}"><details>
<summary><b>${from} → ${to}</b> <span${status === null || status >= 400 ? html` class="bad"` : ''}>${status ?? 'no answer'}</span> ${durationMs} ms <code>${method} ${path}</code></summary>
<h2>Request</h2><pre tabindex="0">${request}</pre>
<h2>Answer</h2><pre tabindex="0">${answer === '' ? 'The connection ended without an answer.' : answer}</pre>
</details></li>`;
}

function faultForm(scenarios: ScenarioList['scenarios'], query: string): Markup {
  return html`<form method="post" action="/wire/faults${query}">
          <label>The payment service plays <select name="choice">${scenarios.map(
            ({ name, description, operations }) =>
              html`<optgroup label="${name}: ${description}">${operations.map((operation) => html`<option value="${operation}/${name}">${name} for ${operation}</option>`)}</optgroup>`,
          )}</select></label>
          <label>for <input name="times" type="number" min="1" max="99" value="1" required> calls</label>
          <button>Switch on</button>
        </form>`;
}

function chosenRow({ operation, scenario, times }: ScenarioList['chosen'][number], query: string): Markup {
  return html`<li><form method="post" action="/wire/faults${query}"><input type="hidden" name="choice" value="${operation}/${scenario}"><input type="hidden" name="times" value="0">
          ${scenario} for ${operation}, ${times === 1 ? 'once' : `${times} times`} <button>Switch off</button></form></li>`;
}
