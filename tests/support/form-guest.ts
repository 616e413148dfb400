/**
 * A guest, or staff, whose browser runs no script: pages, links and forms over plain HTTP. What a page promises without JavaScript
 * needs no browser to be tested.
 */
import { askProxy } from './ask-proxy.ts';

export const GOOD_CARD = '4242424242424242';

export const DECLINED_CARD = '4000000000000002';

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly html: string;
  /** What a reader sees, on one line. */
  readonly text: string;
  /** Of somebody who is signed in. Links and forms go on with it. */
  readonly cookie: string;
}

/** Opens an address, following redirects. */
export async function visit(
  url: string,
  init: RequestInit & { headers?: Readonly<Record<string, string>> } = {},
): Promise<Visit> {
  const answer = await fetch(url, { ...init, headers: { 'accept-language': 'en', ...init.headers } });
  const html = await answer.text();
  const cookie = init.headers?.cookie ?? '';
  return { url: answer.url, status: answer.status, html, text: textOf(html), cookie };
}

/** Signs in at the desk of the demo hotel and opens it. */
export async function signIn(demoUrl: string): Promise<Visit> {
  const { action, body } = formWith(await visit(`${demoUrl}/desk`), /^Max/);
  const answer = await fetch(action, { method: 'POST', headers: { origin: demoUrl }, body, redirect: 'manual' });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return visit(`${demoUrl}/desk`, { headers: { cookie } });
}

/** Follows the first link with these words. */
export function follow(page: Visit, words: string): Promise<Visit> {
  return visit(hrefOf(page, words), { headers: { cookie: page.cookie } });
}

/** The address of the first link with these words. */
function hrefOf(page: Visit, words: string): string {
  for (const [, tag = '', content = ''] of page.html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs))
    if (textOf(content) === words) return new URL(attributesOf(tag).href ?? '', page.url).href;
  throw new Error(`No link “${words}” on ${page.url}:\n${page.text}`);
}

/** Types into the fields of the form that has the button, by their names, and presses it. */
export function press(
  page: Visit,
  button: string | RegExp,
  typed: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const { action, method, body } = formWith(page, button, typed);
  const { cookie } = page;
  if (method !== 'post') return visit(`${action.split('?')[0]}?${body}`, { headers: { cookie } });
  return visit(action, { method: 'POST', headers: { origin: new URL(page.url).origin, cookie }, body });
}

/** What pressing the button would send. */
export function formWith(
  page: Visit,
  button: string | RegExp,
  typed: Readonly<Record<string, string>> = {},
): { action: string; method: string; body: URLSearchParams } {
  for (const [, tag = '', content = ''] of page.html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const pressed = [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].find(([, , label = '']) =>
      typeof button === 'string' ? textOf(label) === button : button.test(textOf(label)),
    );
    if (pressed === undefined) continue;
    const body = fieldsOf(content);
    for (const [name, value] of Object.entries(typed)) {
      if (!body.has(name)) throw new Error(`The form of “${button}” on ${page.url} has no field ${name}.`);
      body.set(name, value);
    }
    const { name, value = '' } = attributesOf(pressed[1] ?? '');
    if (name !== undefined) body.append(name, value);
    const { action = '', method = 'get' } = attributesOf(tag);
    return { action: new URL(action, page.url).href, method, body };
  }
  throw new Error(`No button “${button}” on ${page.url}:\n${page.text}`);
}

/** Fills in the demo hotel's form and ends on the page with the element. */
export async function bookStay(demoUrl: string, plan: 'full' | 'deposit' | 'guarantee' = 'full'): Promise<Visit> {
  return press(await visit(demoUrl), 'Continue to payment', { plan, guest: 'Ada Lovelace' });
}

/** Does what the element on the page does when it is clicked, and opens the payment service's page. */
export async function openHostedPage(booking: Visit): Promise<Visit> {
  const [, endpoint, secret] = /endpoint="([^"]+)" client-secret="([^"]+)"/.exec(booking.html) ?? [];
  const headers = { origin: new URL(booking.url).origin };
  const ask = async (path: string, body?: object) =>
    (await askProxy(`${endpoint}/v1/checkout${path}`, String(secret), { headers, body })).json();
  const { terms } = (await ask('')) as { terms: number };
  const { viewUrl } = (await ask('/start', { presentation: 'redirect', terms })) as { viewUrl: string };
  return visit(viewUrl);
}

/** Fills in the hosted page and pays, or saves the card. Ends where the payment service leads. */
export function payOnHostedPage(hosted: Visit, card: string = GOOD_CARD): Promise<Visit> {
  const fields = { cardNumber: card, expiry: '12/30', cvc: '123', cardholder: 'Ada Lovelace' };
  return press(hosted, /^(Pay|Save|Store)/, fields);
}

/** What a browser would send with the form, before anything is typed. */
function fieldsOf(form: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [, tag = ''] of form.matchAll(/<input\b([^>]*)>/g)) {
    const { name, type = 'text', value = '', checked } = attributesOf(tag);
    const isChoice = type === 'radio' || type === 'checkbox';
    if (name !== undefined && !(isChoice && checked === undefined)) fields.append(name, value);
  }
  for (const [, tag = '', content = ''] of form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const options = Array.from(content.matchAll(/<option\b([^>]*)>/g), ([, option = '']) => attributesOf(option));
    const chosen = options.find(({ selected }) => selected !== undefined) ?? options[0];
    fields.append(attributesOf(tag).name ?? '', chosen?.value ?? '');
  }
  return fields;
}

function attributesOf(tag: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    Array.from(tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, name = '', value = '']) => [name, decoded(value)]),
  );
}

function textOf(html: string): string {
  const words = html
    .replaceAll(/<(head|script|template)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/?(?:a|code|small|span|strong)\b[^>]*>/g, '');
  return decoded(words.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function decoded(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
