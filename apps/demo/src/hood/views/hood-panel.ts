import { html } from 'hono/html';
import type { Markup } from './marked-text.ts';
import { type Scope, VIEWS, type View, viewHref } from './scope.ts';

const START: Scope = { from: '/', booking: null, isAll: true };

/** What the head of every page needs for the panel. The script is small and runs before the first paint: no page shifts. */
export function hoodHead(): Markup {
  return html`<link rel="stylesheet" href="/public/hood.css" media="screen">
    <script src="/public/hood.js"></script>`;
}

/** The panel beside every page, empty until its script fills it; without one, a link to the panel as a page. */
export function hoodPanel(): Markup {
  return html`<nav aria-label="Demo"><a class="hood-open" href="/hood" aria-controls="hood">Under the hood</a></nav>
    <aside class="hood" id="hood" aria-labelledby="hood-title">
      <div class="hood-bar"><h2 id="hood-title" tabindex="-1">Under the hood</h2><button class="hood-close hood-button" type="button">Close<span class="hood-hidden"> Under the hood</span></button></div>
      ${navigation('requests', START)}
      <div class="hood-view" id="hood-view" tabindex="-1"></div>
    </aside>`;
}

/** The panel as a page of its own: works without a script, and shows every request as it was when it was loaded. */
export function hoodPage(input: { readonly view: View; readonly scope: Scope; readonly content: Markup }): Markup {
  const { view, scope, content } = input;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Under the hood · Hotel Aurora</title>
    <link rel="icon" href="/public/hood.svg" type="image/svg+xml">
    ${hoodHead()}
  </head>
  <body>
    <main class="hood hood-page" id="hood" data-from="${scope.from}">
      <div class="hood-bar"><h1>Under the hood</h1><a class="hood-button" href="${scope.from}">Back to the hotel</a></div>
      ${navigation(view, scope)}
      <h2 class="hood-hidden">What it shows</h2>
      <div class="hood-view" id="hood-view" tabindex="-1">${content}</div>
    </main>
  </body>
</html>`;
}

function navigation(current: View, scope: Scope): Markup {
  return html`<nav class="hood-nav" aria-label="Under the hood"><ul>${VIEWS.map(
    ({ view, name }) =>
      html`<li><a href="${viewHref(view, scope)}" data-view="${view}"${view === current ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )}</ul></nav>`;
}
