/**
 * Which language an element speaks: its `locale`, else the nearest `lang`, else the browser's. English is built in and
 * every other language is loaded when it is first needed.
 */
import type { ReactiveController, ReactiveControllerHost } from '#lit';
import { LOCALES, loadLocale, ownTexts } from './locale-loader.ts';
import { localeNames } from './locale-names.ts';
import { messages as en } from './locales/en.ts';
import type { Messages } from './messages.ts';

/** The element's side: an explicit language, and texts of the site's own. */
export interface LocalizedHost extends ReactiveControllerHost, HTMLElement {
  locale: string | undefined;
  messages: Partial<Messages> | undefined;
  readonly hasUpdated: boolean;
}

const RIGHT_TO_LEFT = /Arab|Hebr|Thaa/;
/** The texts of each language, `null` for one that could not be loaded. */
const loaded = new Map<string, Messages | null>([['en', en]]);
/** Each language is loaded once for all elements. */
const loading: Record<string, Promise<Messages | null>> = {};

/** Keeps one element's language, and its texts once they are loaded. */
export class LocalizeController implements ReactiveController {
  /** Language tag for `Intl` and `lang`: the first that was wished for and has texts. */
  tag = 'en';
  /** The texts, with the site's own over the language's. */
  messages: Messages = en;
  /** Whether the first texts are still on their way. */
  isLoading = false;

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
    for (const wish of [this.#host.locale, nearestLang(this.#host), ...navigator.languages, 'en']) {
      const names = localeNames(wish || '');
      const [tag = ''] = names;
      const locale = names.find((name) => LOCALES.includes(name));
      if (!locale) continue;
      const texts = loaded.get(locale);
      const isNew = texts === undefined;
      if (isNew) void this.#load(locale);
      // What is read stays until then, and so does the focus.
      if (isNew && this.#host.hasUpdated) return;
      this.isLoading = isNew;
      this.tag = texts === null ? 'en' : tag;
      this.messages = [...ownTexts(names), this.#host.messages].reduce<Messages>(layOver, texts ?? en);
      return;
    }
  }

  async #load(locale: string): Promise<void> {
    // A language that cannot be loaded is English from then on: a payment never waits for a translation.
    loading[locale] ??= loadLocale(locale).catch(() => null);
    loaded.set(locale, await loading[locale]);
    this.#host.requestUpdate();
  }
}

/** Texts of a site's own over others. A translation helper that lacks one gives no text: what lies below stays. */
function layOver<Texts extends Messages>(texts: Texts, own: Partial<Texts> | undefined): Texts {
  const all = { ...texts };
  for (const name in all) {
    // A plural has at least the text for any number: what is given is a text, or that.
    const text = own?.[name] as Texts[typeof name];
    if (typeof (name === 'minutesLeft' ? Object(text).other : text) === 'string') all[name] = text;
  }
  return all;
}

function nearestLang(start: Element): string | null {
  const root = start.getRootNode();
  return start.closest('[lang]')?.getAttribute('lang') ?? (root instanceof ShadowRoot ? nearestLang(root.host) : null);
}
