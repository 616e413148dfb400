import { html } from 'hono/html';

/** A document, or a part of one, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;

/** What every hosted page has around its content. */
export interface Layout {
  readonly title: string;
  /** Path that this sandbox's own files are under. */
  readonly assets: string;
  readonly content: Markup;
}

const LOCK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="4" y="10.5" width="16" height="10.5" rx="2.5"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/></svg>`;

/** A complete page. */
export function layOut({ title, assets, content }: Layout): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Simulator</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/hosted-page.css">
<script src="${assets}/hosted-page.js" defer></script>
</head>
<body>
<aside class="notice" aria-label="Simulator"><p><strong>Simulator.</strong> No real payment. Only test cards are accepted.</p></aside>
<div class="shell">
<header><p class="brand">${LOCK} Payment page</p></header>
<main>
${content}
</main>
</div>
</body>
</html>
`.toString();
}
