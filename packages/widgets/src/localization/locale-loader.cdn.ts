/** Stands in for `locale-loader.ts` in the script-tag files: languages lie beside the script that the page loaded. */
import type { Messages } from './messages.ts';

// Filled in by the build: the languages, the SHA-256 of the file that has the SHA-256 of each, and the address of a script that is a module.
declare const LOCALE_NAMES: string;
declare const HASHES_HASH: string;
declare const IS_MODULE: boolean;
declare const MODULE_URL: string | undefined;

const scriptUrl: string | undefined = IS_MODULE ? MODULE_URL : currentScriptUrl();

/** The languages there are. */
export const LOCALES: readonly string[] = LOCALE_NAMES.split(' ');

/** The texts of one of {@link LOCALES}, and no others, whatever lies there. Rejects when they cannot be had in time. */
export async function loadLocale(locale: string): Promise<Messages> {
  const signal = AbortSignal.timeout(5_000);
  const hashes: Readonly<Record<string, string>> = await read('hashes', HASHES_HASH, signal);
  return read(locale, hashes[locale], signal);
}

// A file with this hash is the build's, so it has what is expected of it.
async function read(name: string, hash: string | undefined, signal: AbortSignal): Promise<never> {
  const file = new URL(`locales/${name}.json`, scriptUrl);
  return (await fetch(file, { integrity: `sha256-${hash}`, signal })).json() as never;
}

// Asked of the getter itself: an <img name="currentScript"> on the page answers in the place of `document.currentScript`.
function currentScriptUrl(): string | undefined {
  return Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document)?.src;
}

/** A page with script tags hands its own texts to an element's `messages`. */
export const ownTexts = (_names: readonly string[]): Partial<Messages>[] => [];
