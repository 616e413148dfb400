/** Stands in for `locale-loader.ts` in the script-tag files: languages lie beside the script that the page loaded. */
import type { Messages } from './messages.ts';

// Filled in by the build: each language with the SHA-256 of its file, and the address of a script that is a module.
declare const LOCALE_HASHES: string;
declare const MODULE_URL: string | undefined;

const hashes = new Map(LOCALE_HASHES.split(' ').map((entry) => entry.split(':') as [name: string, hash: string]));

// Asked of the getter itself: an <img name="currentScript"> on the page answers in the place of `document.currentScript`.
const { get: currentScript } = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript') ?? {};
const scriptUrl: string | undefined = MODULE_URL ?? currentScript?.call(document)?.src;

/** The languages there are. */
export const LOCALES: readonly string[] = [...hashes.keys()];

const files = new Map<string, Promise<Messages>>();

/** The texts of one of {@link LOCALES}, and no others, whatever lies there. Rejects when they cannot be had. */
export function loadLocale(locale: string): Promise<Messages> {
  const file = files.get(locale) ?? readLocale(locale);
  files.set(locale, file);
  return file;
}

async function readLocale(locale: string): Promise<Messages> {
  const url = new URL(`locales/${locale}.json`, scriptUrl);
  // The build has made the file of such an object.
  return (await fetch(url, { integrity: `sha256-${hashes.get(locale)}` })).json() as Promise<Messages>;
}

/** A page with script tags hands its own texts to an element's `messages`. */
export const ownTexts = (_names: readonly string[]): Partial<Messages> => ({});
