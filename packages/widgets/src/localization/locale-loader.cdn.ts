/** Stands in for `locale-loader.ts` in the script-tag files: languages lie beside the script that the page loaded. */
import type { Messages } from './messages.ts';

// Both are filled in by the build: the names of the files, and the address of this script in either format.
declare const LOCALE_NAMES: string;
declare const SCRIPT_URL: string;

/** The languages there are. */
export const LOCALES: readonly string[] = LOCALE_NAMES.split(' ');

const scriptUrl = SCRIPT_URL;

/** The texts of one of {@link LOCALES}. Rejects when they cannot be had. */
export async function loadLocale(locale: string): Promise<Messages> {
  const { messages }: { messages: Messages } = await import(new URL(`locales/${locale}.js`, scriptUrl).href);
  return messages;
}

/** A page with script tags hands its own texts to an element's `messages`. */
export const ownTexts = (_names: readonly string[]): Partial<Messages> => ({});
