/** Draws every picture in the theme, language and width that the controls, or the page's address, ask for. */
import { answer, ENDPOINT, PICTURES, type Picture } from './sessions.ts';

// The list of languages comes from the server; after that, nothing leaves the page.
const locales: string[] = await (await fetch('/locales.json')).json();
const examples: { tag: string; markup: string }[] = await (await fetch('/examples.json')).json();
globalThis.fetch = answer;

const choices = new URLSearchParams(location.search);
const controls = document.querySelector('form');
const fields: Record<string, string[]> = {
  theme: ['light', 'dark', 'auto'],
  locale: ['en', ...locales.filter((name) => name !== 'en')],
  width: ['360px', '280px', '520px', '720px'],
};

for (const [name, values] of Object.entries(fields)) {
  const select = controls?.elements.namedItem(name);
  if (!(select instanceof HTMLSelectElement)) continue;
  select.append(...values.map((value) => new Option(value)));
  select.value = choices.get(name) ?? values[0] ?? '';
  choices.set(name, select.value);
  select.addEventListener('change', () => {
    choices.set(name, select.value);
    location.search = choices.toString();
  });
}

const theme = choices.get('theme') ?? 'light';
const isDark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
document.documentElement.lang = choices.get('locale') ?? 'en';
const sheet = new CSSStyleSheet();
sheet.replaceSync(`:root { --width: ${choices.get('width')} }`);
document.adoptedStyleSheets = [sheet];

document.getElementById('states')?.append(...PICTURES.map(draw));
document.getElementById('examples')?.append(...examples.map(drawExample));

function draw(picture: Picture): HTMLElement {
  const figure = document.createElement('figure');
  figure.id = picture.name;
  const caption = document.createElement('figcaption');
  caption.textContent = `<${picture.tag}> ${picture.name}`;
  const element = Object.assign(document.createElement(picture.tag), {
    endpoint: ENDPOINT,
    theme,
    presentation: 'tab',
    ...(picture.view && { clientSecret: `cs_${picture.name.replaceAll('-', '')}_secret` }),
    ...(picture.canRestart && { getClientSecret: () => new Promise<string>(() => {}) }),
  });
  if (picture.click) {
    // The window stays away: its answer never comes here.
    globalThis.open = () => null;
    element.addEventListener('pay-ready', () => void element.start());
  }
  figure.append(caption, element);
  return figure;
}

/** Markup of an element page beside what it does; its addresses are those of the page's own proxy. */
function drawExample({ tag, markup }: { tag: string; markup: string }, index: number): HTMLElement {
  const figure = document.createElement('figure');
  const code = document.createElement('pre');
  code.textContent = markup;
  const live = document.createElement('div');
  live.innerHTML = markup;
  for (const element of live.querySelectorAll(tag)) {
    element.setAttribute('theme', theme);
    if (!element.hasAttribute('endpoint')) continue;
    element.setAttribute('endpoint', ENDPOINT);
    element.setAttribute(
      'client-secret',
      tag === 'save-card-widget' ? 'cs_cardidle_secret' : `cs_idle_example${index}`,
    );
    element.setAttribute('theme', theme);
  }
  figure.append(code, live);
  return figure;
}
