/** Which language an element speaks: its `locale`, else the nearest `lang`, else the browser's, else English. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { messages as ar } from './locales/ar.ts';
import { messages as de } from './locales/de.ts';
import { messages as en } from './locales/en.ts';
import type { Messages } from './messages.ts';

/** The element's side: an explicit language, and texts of the page's own. */
export interface LocalizedHost extends ReactiveControllerHost, HTMLElement {
  locale: string | undefined;
  messages: Partial<Messages> | undefined;
}

const TEXTS: Readonly<Record<string, Messages>> = { ar, de, en };
const RIGHT_TO_LEFT = /Arab|Hebr|Thaa/;

/** Keeps one element's language. */
export class LocalizeController implements ReactiveController {
  /** Language tag for `Intl` and `lang`. */
  tag = 'en';
  /** The texts, with the page's own over the language's. */
  messages: Messages = en;

  readonly #host: LocalizedHost;
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());

  constructor(host: LocalizedHost) {
    this.#host = host;
    host.addController(this);
  }

  get dir(): 'ltr' | 'rtl' {
    return RIGHT_TO_LEFT.test(new Intl.Locale(this.tag).maximize().baseName) ? 'rtl' : 'ltr';
  }

  hostConnected(): void {
    this.#observer.observe(document, { attributeFilter: ['lang'], subtree: true });
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    const { locale, messages } = this.#host;
    const wished = [locale, nearestLang(this.#host), ...navigator.languages];
    // Whoever brings texts brings a language that is not ours.
    this.tag = wished.find((each) => (messages ? languageOf(each) : TEXTS[languageOf(each)])) ?? 'en';
    this.messages = layOver(TEXTS[languageOf(this.tag)] ?? en, messages);
  }
}

/** Texts of a page's own over others. A translation helper that lacks one gives no text: what lies below stays. */
function layOver<Texts>(texts: Texts, own: unknown): Texts {
  if (typeof own !== typeof texts) return texts;
  // A text for a text, and a group for a group.
  if (typeof own === 'string') return own as Texts;
  const all = { ...texts };
  for (const name in all) all[name] = layOver(all[name], (own as Texts | null)?.[name]);
  return all;
}

/** Nothing for what is no tag. */
function languageOf(tag: string | null | undefined): string {
  try {
    return new Intl.Locale(tag ?? '').language;
  } catch {
    return '';
  }
}

function nearestLang(start: Element): string | null {
  const root = start.getRootNode();
  return start.closest('[lang]')?.getAttribute('lang') ?? (root instanceof ShadowRoot ? nearestLang(root.host) : null);
}
