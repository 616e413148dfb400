/** Stands in for `locale-loader.ts` in the script-tag files: languages lie beside the script that the page loaded. */
import type { Messages } from './messages.ts';

// Both are filled in by the build: the names of the files, and the address of this script in either format.
declare const LOCALE_NAMES: string;
declare const SCRIPT_URL: string;

/** The languages there are, English included. */
export const LOCALES: readonly string[] = LOCALE_NAMES.split(' ');

const scriptUrl = SCRIPT_URL;

/** The texts of one of {@link LOCALES} other than English. */
export async function loadLocale(locale: string): Promise<Messages | undefined> {
  const { messages }: { messages: Messages } = await import(new URL(`locales/${locale}.js`, scriptUrl).href);
  return messages;
}
