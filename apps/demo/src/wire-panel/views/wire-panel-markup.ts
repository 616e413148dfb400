import { html } from 'hono/html';
import type { Markup } from './redacted-text.ts';
import { type Scope, VIEWS, type View, viewHref } from './scope.ts';

const START: Scope = { from: '/', booking: null, isAll: true };

/** What the head of every page needs for the panel. The script is small and runs before the first paint, so that nothing shifts. */
export function wirePanelHead(): Markup {
  return html`<link rel="stylesheet" href="/public/wire-panel.css" media="screen">
    <script src="/public/wire-panel.js"></script>`;
}

/** The panel beside every page, empty until its script fills it; without one, a link to the panel as a page. */
export function wirePanelAside(): Markup {
  return html`<nav aria-label="Demo"><a class="wire-open" href="/wire" aria-controls="wire-panel">Wire panel</a></nav>
    <aside class="wire-panel" id="wire-panel" aria-labelledby="wire-title">
      <div class="wire-bar"><h2 id="wire-title" tabindex="-1">Wire panel</h2><button class="wire-close wire-button" type="button">Close<span class="wire-hidden"> the wire panel</span></button></div>
      ${navigation('requests', START)}
      <div class="wire-view" id="wire-view" tabindex="-1"></div>
    </aside>`;
}

/** The panel as a page of its own: works without a script, and shows every request as it was when it was loaded. */
export function wirePanelPage(input: { readonly view: View; readonly scope: Scope; readonly content: Markup }): Markup {
  const { view, scope, content } = input;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Wire panel · Hotel Aurora</title>
    <link rel="icon" href="/public/wire-panel.svg" type="image/svg+xml">
    ${wirePanelHead()}
  </head>
  <body>
    <main class="wire-panel wire-page" id="wire-panel">
      <div class="wire-bar"><h1>Wire panel</h1><a class="wire-button" href="${scope.from}">Back to the hotel</a></div>
      ${navigation(view, scope)}
      <h2 class="wire-hidden">What it shows</h2>
      <div class="wire-view" id="wire-view" tabindex="-1">${content}</div>
    </main>
  </body>
</html>`;
}

function navigation(current: View, scope: Scope): Markup {
  return html`<nav class="wire-nav" aria-label="Wire panel"><ul>${VIEWS.map(
    ({ view, name }) =>
      html`<li><a href="${viewHref(view, scope)}"${view === current ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )}</ul></nav>`;
}
