/**
 * Which language an element speaks: its `locale`, else the nearest `lang`, else the browser's. English is built in and
 * every other language is loaded when it is first needed.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { LOCALES, loadLocale } from './locale-loader.ts';
import { messages as en } from './locales/en.ts';
import type { Messages } from './messages.ts';

/** The element's side: an explicit language, and texts of the site's own. */
export interface LocalizedHost extends ReactiveControllerHost, HTMLElement {
  locale: string | undefined;
  messages: Partial<Messages> | undefined;
}

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;
const loaded = new Map<string, Messages>([['en', en]]);
const overrides = new Map<string, Partial<Messages>>();
const changes = new EventTarget();

/**
 * Adds texts of the site's own to one language of every element on the page: a few to override, or all of a language
 * that is not built in.
 *
 * @example
 * ```ts
 * import { registerLocale } from '@innkeep/widgets';
 *
 * registerLocale('en', { payNow: 'Pay the deposit' });
 * ```
 */
export function registerLocale(tag: string, messages: Partial<Messages>): void {
  overrides.set(tag.toLowerCase(), { ...overrides.get(tag.toLowerCase()), ...messages });
  changes.dispatchEvent(new Event('change'));
}

/** The built-in or registered language that serves a language tag best: `de-AT` → `de`, `zh-TW` → `zh-Hant`. */
export function matchLocale(tag: string): string | undefined {
  let candidate = tag.toLowerCase().replace('_', '-');
  if (/^zh-(tw|hk|mo)/.test(candidate)) candidate = 'zh-hant';
  candidate = candidate.replace(/^no\b/, 'nb').replace(/^iw\b/, 'he').replace(/^in\b/, 'id').replace(/^tl\b/, 'fil');
  for (; candidate; candidate = candidate.replace(/-?[^-]*$/, '')) {
    const found = [...LOCALES, ...overrides.keys()].find((name) => name.toLowerCase() === candidate);
    if (found) return found;
  }
  return undefined;
}

/** Keeps one element's language, and its texts once they are loaded. */
export class LocalizeController implements ReactiveController {
  /** Language tag for `Intl` and `lang`: what was asked for, if its texts exist. */
  tag = 'en';
  readonly #host: LocalizedHost;
  #locale = 'en';
  #observer: MutationObserver | undefined;

  constructor(host: LocalizedHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether the texts of the language are still on their way. */
  get isLoading(): boolean {
    return !loaded.has(this.#locale);
  }

  get dir(): 'ltr' | 'rtl' {
    return RIGHT_TO_LEFT.test(this.#locale) ? 'rtl' : 'ltr';
  }

  get messages(): Messages {
    return {
      ...(loaded.get(this.#locale) ?? en),
      ...overrides.get(this.#locale.toLowerCase()),
      ...this.#host.messages,
    };
  }

  hostConnected(): void {
    changes.addEventListener('change', this.#refresh);
    this.#observer ??= new MutationObserver(this.#refresh);
    this.#observer.observe(document.documentElement, { attributeFilter: ['lang'] });
  }

  hostDisconnected(): void {
    changes.removeEventListener('change', this.#refresh);
    this.#observer?.disconnect();
  }

  hostUpdate(): void {
    const wanted = [this.#host.locale, nearestLang(this.#host), ...navigator.languages];
    this.tag = wanted.find((tag): tag is string => !!tag && isLanguageTag(tag) && !!matchLocale(tag)) ?? 'en';
    this.#locale = matchLocale(this.tag) ?? 'en';
    if (this.isLoading) void this.#load(this.#locale);
  }

  readonly #refresh = (): void => this.#host.requestUpdate();

  async #load(locale: string): Promise<void> {
    // A language that cannot be loaded is English from then on: a payment never waits for a translation.
    const messages = await loadLocale(locale).catch(() => undefined);
    if (!loaded.has(locale)) loaded.set(locale, messages ?? en);
    this.#refresh();
  }
}

function nearestLang(start: Node): string | undefined {
  for (let node: Node | null = start; node; node = node.parentNode ?? (node as Partial<ShadowRoot>).host ?? null) {
    const lang = (node as Partial<Element>).getAttribute?.('lang');
    if (lang) return lang;
  }
  return undefined;
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
