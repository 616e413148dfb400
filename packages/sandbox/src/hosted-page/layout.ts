import { html } from 'hono/html';
import { type Language, textsIn } from './texts.ts';

/** A document, or a part of one, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;

/** What every hosted page has around its content. */
export interface Layout {
  readonly language: Language;
  readonly title: string;
  /** Path that this sandbox's own files are under. */
  readonly assets: string;
  /** Address of the same page in the other language; absent where a form would be lost. */
  readonly otherLanguageUrl?: string;
  readonly content: Markup;
}

const LOCK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="4" y="10.5" width="16" height="10.5" rx="2.5"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/></svg>`;

/** A complete page. */
export function layOut({ language, title, assets, otherLanguageUrl, content }: Layout): string {
  const texts = textsIn(language);
  const other = language === 'de' ? 'en' : 'de';
  const switcher =
    otherLanguageUrl === undefined
      ? undefined
      : html`<a href="${otherLanguageUrl}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${texts.simulator}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/hosted-page.css">
<script src="${assets}/hosted-page.js" defer></script>
</head>
<body>
<aside class="notice" aria-label="${texts.simulator}"><p><strong>${texts.simulator}.</strong> ${texts.simulatorDetail}</p></aside>
<div class="shell">
<header><p class="brand">${LOCK} ${texts.secure}</p>${switcher}</header>
<main>
${content}
</main>
</div>
</body>
</html>
`.toString();
}
