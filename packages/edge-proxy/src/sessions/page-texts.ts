/** The texts of a page in the guest's language, read once per isolate from the file beside the bundle. */
import type { AppContext } from '../http/app-context.ts';
import { chooseLanguage, type Language } from './language.ts';
import type { Messages } from './messages.ts';

const loaded = new Map<Language, Messages>();

/** Chooses by `Accept-Language`. */
export async function pageTexts(c: AppContext): Promise<{ locale: string; messages: Messages }> {
  const { language, locale } = chooseLanguage(c.req.header('accept-language'));
  let messages = loaded.get(language);
  if (messages === undefined) {
    const file = await c.get('dependencies').readFile(`/messages/${language}.json`);
    if (!file.ok) throw new Error(`messages/${language}.json is missing beside the bundle`);
    // Written by the build from the typed texts.
    messages = (await file.json()) as Messages;
    loaded.set(language, messages);
  }
  return { locale, messages };
}
