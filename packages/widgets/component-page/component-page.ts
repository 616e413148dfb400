/// <reference types="vite/client" />
/** Draws every picture in the theme, language and width that the controls, or the page's address, ask for. */
import { html, render, type TemplateResult } from 'lit';
import { answer, ENDPOINT, PICTURES, type Picture } from './sessions.ts';
import { drawThemeEditor } from './theme-editor.ts';

const LOCALES = Object.keys(import.meta.glob('../src/localization/locales/*.ts')).map(baseName);
const ELEMENT_PAGES = import.meta.glob<string>('../src/elements/*/README.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  theme: ['light', 'dark', 'system'],
  locale: ['en', ...LOCALES.filter((name) => name !== 'en')],
  width: ['360px', '280px', '520px', '720px'],
};

// Nothing but the languages is loaded, and the window of the hosted page stays away: its answer never comes here.
const load = globalThis.fetch;
globalThis.fetch = (input, init) => (String(input).startsWith(ENDPOINT) ? answer(input, init) : load(input, init));
globalThis.open = () => null;

const asked = new URLSearchParams(location.search);
const chosen = (name: string): string => asked.get(name) ?? CHOICES[name]?.[0] ?? '';
const theme = chosen('theme');
const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
const root = document.documentElement;
root.dataset.theme = isDark ? 'dark' : 'light';
root.lang = chosen('locale');
root.style.setProperty('--width', chosen('width'));

render(
  html`<header>
      <h1>Innkeep elements</h1>
      <form onchange="this.submit()">${Object.entries(CHOICES).map(control)}</form>
    </header>
    <section id="theme"></section>
    <main id="states">${PICTURES.map(draw)}</main>
    <h2>Examples of the element pages</h2>
    <section id="examples">${Object.entries(ELEMENT_PAGES).map(drawExamples)}</section>`,
  document.body,
);
const editor = document.querySelector<HTMLElement>('#theme');
if (editor) drawThemeEditor(editor);

function control([name, values]: [string, readonly string[]]): TemplateResult {
  const options = values.map((value) => html`<option ?selected=${value === chosen(name)}>${value}</option>`);
  return html`<label>${name} <select name=${name}>${options}</select></label>`;
}

function draw({ name, tag, view, canRestart, noRetry = false, click, continueHref }: Picture): TemplateResult {
  const element = Object.assign(document.createElement(tag), {
    endpoint: ENDPOINT,
    presentation: 'tab',
    noRetry,
    ...(view && { clientSecret: `cs_${name.replaceAll('-', '')}_secret` }),
    ...(continueHref && { continueHref }),
    ...(canRestart && { getClientSecret: () => new Promise<string>(() => {}) }),
  });
  if (click) element.addEventListener('pay-ready', () => void element.start());
  return html`<figure id=${name}><figcaption>&lt;${tag}> ${name}</figcaption>${element}</figure>`;
}

/** The markup of an element page beside what it does; its addresses are those of the page's own proxy. */
function drawExamples([path, page]: [string, string]): TemplateResult[] {
  const tag = path.split('/').at(-2) ?? '';
  return [...page.matchAll(/```html\n(?:<script.*<\/script>\n)?([\s\S]*?)```/g)].map(([, markup = ''], index) => {
    const live = document.createElement('div');
    live.innerHTML = markup;
    for (const element of live.querySelectorAll(tag)) {
      if (!element.hasAttribute('endpoint')) continue;
      element.setAttribute('endpoint', ENDPOINT);
      element.setAttribute('client-secret', tag === 'save-card-widget' ? 'cs_cardidle_secret' : `cs_idle_${index}`);
    }
    return html`<figure><pre>${markup}</pre>${live}</figure>`;
  });
}

function baseName(path: string): string {
  return path.replace(/^.*\/|\.ts$/g, '');
}
