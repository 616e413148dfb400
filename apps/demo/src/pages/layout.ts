import { html } from 'hono/html';
import { wirePanelAside, wirePanelHead } from '../wire-panel/wire-panel-page.ts';

/** Markup that `html` has escaped already. */
export type Markup = ReturnType<typeof html>;

/** The frame around every page. Its scripts are served by the hotel itself. */
export function layout(input: {
  title: string;
  body: Markup;
  scripts?: readonly string[] | undefined;
  isDesk?: boolean;
}): Markup {
  const here = html` aria-current="page"`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${input.title} · Hotel Aurora</title>
    <link rel="icon" href="/public/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/public/styles.css">
    ${wirePanelHead()}
    ${['/widgets/widgets.js', ...(input.scripts ?? [])].map((src) => html`<script type="module" src="${src}"></script>`)}
  </head>
  <body>
    <header>
      <div class="bar">
      <a class="brand" href="/"><img src="/public/icon.svg" alt="" width="28" height="28"> Hotel Aurora</a>
      <nav aria-label="Site"><a href="/"${input.isDesk === true ? '' : here}>Book</a> <a href="/desk"${input.isDesk === true ? here : ''}>Reception desk</a></nav>
      </div>
      <p class="notice"><strong>Demo.</strong> No real money moves. Test card <code>4242 4242 4242 4242</code> · <a href="/docs/">Documentation</a></p>
    </header>
    ${input.body}
    <footer class="foot">
      <p><strong>Hotel Aurora</strong> · Lake Road 12 · open all year</p>
      <p>The hotel is invented, the payments are simulated. How it is made: <a href="/docs/">documentation</a>.</p>
    </footer>
    ${wirePanelAside()}
  </body>
</html>`;
}
