/** Loads a language from beside this module. Bundlers see one file per language and load none before it is needed. */
import type { Messages } from './messages.ts';

type LocaleModule = { messages: Messages };

const LOADERS: Readonly<Record<string, () => Promise<LocaleModule>>> = {
  de: () => import('./locales/de.ts'),
};

/** The languages there are, English included. */
export const LOCALES: readonly string[] = ['en', ...Object.keys(LOADERS)];

/** The texts of one of {@link LOCALES} other than English. */
export async function loadLocale(locale: string): Promise<Messages | undefined> {
  return (await LOADERS[locale]?.())?.messages;
}
