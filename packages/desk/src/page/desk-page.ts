/**
 * The proxy's own page of a desk. The code of its link is exchanged for a cookie that no script can read; the elements call with that
 * cookie. It ends when its person leaves, or when nobody has touched it for a quarter of an hour; before that it asks.
 */
import { html, render, type TemplateResult } from 'lit';
import { type PageTexts, pageTexts } from './page-texts.ts';

const IDLE_MS = 15 * 60_000;
/** How long it asks whether somebody is still there. */
const ASKING_MS = 2 * 60_000;
/** How soon the proxy hears again that somebody is there. */
const USE_MS = 60_000;
const TIMEOUT_MS = 15_000;
/** What a page tells its other tabs: their cookie is another one now. */
const OPENED = 'opened';
/** Kept on the device of whoever has switched the key `/` off. */
const NO_SHORTCUT = 'innkeep-desk-no-shortcut';
/** Whoever speaks or listens to the page clicks and writes without a pointer or keys. The question closes by its button or Esc. */
const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel', 'click', 'input', 'close'] as const;

const STYLES = `:root { color-scheme: light dark; --pay-color-background: Canvas; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-inline-size: 34rem; margin: 12vh auto; padding: 1rem; }
dialog { border: 1px solid; border-radius: 0.5rem; }
footer { padding: 0 0.75rem 0.75rem; }
button { min-block-size: 2.75rem; padding-inline: 1rem; font: inherit; color: inherit; background: none;
  border: 1px solid; border-radius: 0.5rem; cursor: pointer; }`;

/** Where a page is, and what its link brought. */
export interface DeskPageSettings {
  /** Its address without a fragment: what it calls is below it. */
  readonly address: string;
  /** The code of its link; null when it was opened without one. */
  readonly code: string | null;
  readonly languages: readonly string[];
  /** Whether the browser keeps cookies of this address. */
  readonly hasCookies: boolean;
}

/** Takes the code out of the address, where it would be seen, kept and sent on. */
export function takeCode({ hash, pathname }: Location): string | null {
  const code = codeIn(hash);
  if (code !== null) history.replaceState(null, '', pathname);
  return code;
}

/** The code in a fragment. */
export function codeIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('code');
}

/** Opens the page. */
export async function openDeskPage({ address, code, languages, hasCookies }: DeskPageSettings): Promise<void> {
  const { lang, texts } = pageTexts(languages);
  Object.assign(document.documentElement, { lang, dir: /^ar/i.test(lang) ? 'rtl' : 'ltr' });
  document.title = texts.title;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets = [sheet];
  const askForLink = texts.askForLink.replace('{hotel}', address.split('/').at(-1) ?? '');

  // Without them the code would be used up for nothing.
  if (!hasCookies) return say([texts.noCookies]);

  const open = async (code: string | null): Promise<void> => {
    const status = code === null ? await call(`${address}/v1/desk`) : await call(`${address}/session`, { code });
    if (status === 401) return say([code === null ? texts.noLink : texts.spent, askForLink]);
    // Whether a lost answer had used the code up, the next one says. Without a code the elements say it themselves.
    if (code !== null && status !== 204) return say([texts.notOpened], { name: texts.tryNow, act: () => open(code) });
    const others = showDesk(address, texts, askForLink, () => open(null));
    if (code !== null) others.postMessage(OPENED);
  };
  await open(code);
}

/** What the device remembers; none where an app shows the page without it, or it is switched off. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** What asks whether somebody is still there. */
const question = (): HTMLDialogElement | null => document.querySelector('dialog');

/** @returns the way to the other tabs of the page */
function showDesk(address: string, texts: PageTexts, askForLink: string, openAgain: () => unknown): BroadcastChannel {
  const others = new BroadcastChannel(address);
  const onOpened = (): void => {
    watch.abort();
    say([texts.openedElsewhere], { name: texts.goOn, act: openAgain });
  };
  const watch = watchForPeople(others, () => leave(texts.leftAlone), onOpened);
  const leave = async (why: string): Promise<void> => {
    watch.abort();
    const status = await call(`${address}/v1/desk/sign-out`, {});
    const isOut = status === 204 || status === 401;
    if (isOut) say([why, askForLink]);
    else say([texts.notSignedOut], { name: texts.tryNow, act: () => leave(why) });
  };
  const messages = { signedOut: `${texts.over} ${askForLink}`, signIn: texts.tryNow };
  const signOut = html`<button slot="header" @click=${() => leave(texts.signedOut)}>${texts.signOut}</button>`;
  const device = storage();
  const noShortcut = typeof device?.getItem(NO_SHORTCUT) === 'string';
  const onShortcut = ({ target }: Event): void => {
    const { checked } = target as HTMLInputElement;
    const desk = document.querySelector('payments-desk');
    if (desk) desk.noShortcut = !checked;
    if (checked) device?.removeItem(NO_SHORTCUT);
    else device?.setItem(NO_SHORTCUT, '');
  };
  show(html`<payments-desk .endpoint=${address} .messages=${messages} .noShortcut=${noShortcut}>${signOut}</payments-desk>
    <footer><label><input type="checkbox" .checked=${!noShortcut} @change=${onShortcut}> ${texts.shortcut}</label></footer>
    <dialog role="alertdialog" aria-labelledby="idle"><p id="idle">${texts.idle}</p><button @click=${() => question()?.close()}>${texts.stay}</button></dialog>`);
  return others;
}

/**
 * Asks, and then calls, once nobody has touched the page for long, in no tab of it; or calls when another tab was opened with a link. Ends
 * by its signal.
 */
function watchForPeople(others: BroadcastChannel, onIdle: () => void, onOpened: () => void): AbortController {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let usedAt = Date.now();
  const restart = (): void => {
    clearTimeout(timer);
    question()?.close();
    const askAt = Date.now() + IDLE_MS - ASKING_MS;
    timer = setTimeout(() => {
      question()?.showModal();
      // Nobody is asked after the computer has slept for longer.
      timer = setTimeout(onIdle, Math.min(ASKING_MS, askAt + ASKING_MS - Date.now()));
    }, IDLE_MS - ASKING_MS);
  };
  const options = { signal: stop.signal, passive: true, capture: true };
  others.addEventListener('message', ({ data }) => (data === OPENED ? onOpened() : restart()), options);
  for (const sign of SIGNS_OF_LIFE) {
    const onSign = (): void => {
      // A key or a tap that closed it would go on to what is below it.
      if (question()?.open) return;
      restart();
      others.postMessage(null);
      if (Date.now() - usedAt < USE_MS) return;
      usedAt = Date.now();
      // Whoever reads or types calls nothing, and the proxy counts calls.
      void call(`${others.name}/v1/desk`);
    };
    document.addEventListener(sign, onSign, options);
  }
  stop.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    others.close();
  });
  restart();
  return stop;
}

/** A call of the page itself. @returns the status; 0 when nothing answered */
async function call(url: string, body?: object): Promise<number> {
  const how = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = fetch(url, { ...how, credentials: 'same-origin', redirect: 'manual', cache: 'no-store', signal });
  return answer.then(
    ({ status }) => status,
    () => 0,
  );
}

/** Shows sentences in place of everything else, and perhaps one thing to do. */
function say(sentences: readonly string[], action?: { readonly name: string; readonly act: () => unknown }): void {
  const text = sentences.map((sentence) => html`<p>${sentence}</p>`);
  const button = action && html`<button @click=${action.act}>${action.name}</button>`;
  show(html`<main tabindex="-1"><h1>${document.title}</h1>${text}${button}</main>`);
  // Whoever listens to the page hears what has come in place of it.
  document.querySelector('main')?.focus();
}

function show(content: TemplateResult): void {
  const page = new DocumentFragment();
  render(content, page);
  document.body.replaceChildren(page);
}
