/** Stands in for `locale-loader.ts` in the script-tag files: languages lie beside the script that the page loaded. */
import type { Messages } from './messages.ts';

// Filled in by the build: the languages, the SHA-256 of the file that has the SHA-256 of each, and the address of a script that is a module.
declare const LOCALE_NAMES: string;
declare const HASHES_HASH: string;
declare const MODULE_URL: string | undefined;

// Asked of the getter itself: an <img name="currentScript"> on the page answers in the place of `document.currentScript`.
const { get: currentScript } = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript') ?? {};
const scriptUrl: string | undefined = MODULE_URL ?? currentScript?.call(document)?.src;

/** The languages there are. */
export const LOCALES: readonly string[] = LOCALE_NAMES.split(' ');

const files = new Map<string, Promise<never>>();

/** The texts of one of {@link LOCALES}, and no others, whatever lies there. Rejects when they cannot be had. */
export async function loadLocale(locale: string): Promise<Messages> {
  const hashes: Readonly<Record<string, string>> = await read('hashes', HASHES_HASH);
  return read(locale, hashes[locale]);
}

// A file with this hash is the build's, so it has what is expected of it.
function read(name: string, hash: string | undefined): Promise<never> {
  const url = new URL(`locales/${name}.json`, scriptUrl);
  const file = files.get(name) ?? fetch(url, { integrity: `sha256-${hash}` }).then((answer) => answer.json() as never);
  files.set(name, file);
  return file;
}

/** A page with script tags hands its own texts to an element's `messages`. */
export const ownTexts = (_names: readonly string[]): Partial<Messages> => ({});
