import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ENDPOINT, FakeDesk, problem, SECRET } from '../../test-support/fake-desk.ts';
import { all, cleanUp, click, one, settle, textOf, violations } from '../../test-support/fixture.ts';
import type { PaymentsDesk } from '../elements/payments-desk/payments-desk.ts';
import { codeIn, openDeskPage, takeCode } from './desk-page.ts';

const ADDRESS = `${location.origin}/desk/aurora`;
const CODE = 'ds_01J0000000000000000000000A_aurora_code';
const MINUTE_MS = 60_000;

/** The proxy, as its page sees it: whoever has exchanged the code has the cookie. */
class FakeProxy {
  readonly desk = new FakeDesk();
  readonly calls: { path: string; body: unknown; init: RequestInit }[] = [];
  hasCookie = false;
  code: string | undefined = CODE;
  /** In place of the usual answer, until it is undefined. */
  answer: number | undefined;

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input).replace(ADDRESS, '');
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    this.calls.push({ path, body, init });
    if (this.answer === 0) throw new TypeError('offline');
    if (this.answer !== undefined) return problem(this.answer, 'internal');
    if (path === '/session') {
      const isRight = body.code === this.code;
      this.code = undefined;
      this.hasCookie ||= isRight;
      return isRight ? new Response(null, { status: 204 }) : problem(401, 'unauthorized');
    }
    if (!this.hasCookie) return problem(401, 'unauthorized');
    if (path === '/v1/desk/sign-out') {
      this.hasCookie = false;
      return new Response(null, { status: 204 });
    }
    return this.desk.fetch(`${ENDPOINT}${path}`, { ...init, headers: { authorization: `Bearer ${SECRET}` } });
  };

  at(path: string): FakeProxy['calls'] {
    return this.calls.filter((call) => call.path === path);
  }
}

let proxy: FakeProxy;
beforeEach(() => {
  vi.useFakeTimers();
  proxy = new FakeProxy();
  vi.stubGlobal('fetch', proxy.fetch);
});
afterEach(async () => {
  // What watches for people ends with the desk.
  proxy.answer = 401;
  await press('header');
  await cleanUp();
  document.adoptedStyleSheets = [];
  document.documentElement.removeAttribute('lang');
  document.documentElement.removeAttribute('dir');
});

async function open(code: string | null, languages: readonly string[] = ['en-GB']): Promise<void> {
  void openDeskPage({ address: ADDRESS, code, languages, hasCookies: true });
  await settled();
}

/** The page has its answer, and then the elements have theirs. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await settle();
}

const shown = (): string => (document.body.textContent ?? '').replace(/\s+/g, ' ').trim();
const theDesk = (): PaymentsDesk => document.querySelector('payments-desk') as PaymentsDesk;
const question = (): HTMLDialogElement => document.querySelector('dialog') as HTMLDialogElement;
const press = async (name: string): Promise<void> => {
  const buttons = [...document.querySelectorAll('button')];
  buttons.find((each) => each.textContent === name || each.slot === name)?.click();
  await settled();
};

const nextMessage = (tab: BroadcastChannel): Promise<MessageEvent> =>
  new Promise((resolve) => tab.addEventListener('message', resolve, { once: true }));

/** From now on nobody sees it, so that many minutes are not as many calls. */
const asksNothing = (): unknown => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);

test('where cookies are blocked nothing is used up, and the page says what to do', async () => {
  void openDeskPage({ address: ADDRESS, code: CODE, languages: ['en-GB'], hasCookies: false });
  await settled();
  expect(shown()).toContain('This page needs cookies. Allow them here, then open the link again.');
  expect(proxy.calls).toEqual([]);
});

test('exchanges the code for a cookie and shows the payments with it, and nothing in the page has either', async () => {
  await open(CODE);
  expect(proxy.at('/session')).toMatchObject([
    { body: { code: CODE }, init: { method: 'POST', credentials: 'same-origin' } },
  ]);
  expect(textOf(theDesk())).toContain('Hotel Aurora');
  expect(proxy.at('/v1/desk')[0]?.init).toMatchObject({ credentials: 'same-origin' });
  for (const { path, init } of proxy.calls) {
    expect(path).not.toContain('ds_');
    expect(new Headers(init.headers).has('authorization')).toBe(false);
  }
  expect(document.documentElement.outerHTML).not.toContain('ds_');
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test('takes the code out of the address, and leaves what the elements have there', () => {
  history.replaceState(null, '', `${location.pathname}#code=${CODE}`);
  expect(takeCode(location)).toBe(CODE);
  expect(location.href).not.toContain('code');
  history.replaceState(null, '', `${location.pathname}#q=res-12`);
  expect(takeCode(location)).toBe(null);
  expect(location.hash).toBe('#q=res-12');
  expect(codeIn(`#q=res-12&code=${CODE}`)).toBe(CODE);
});

test.each([
  ['without a link', null, 'You’re not signed in.'],
  ['with a link that was used', 'ds_other', 'This link was already used, or is more than a minute old.'],
])('%s it says so, and what to do', async (_, code, sentence) => {
  await open(code);
  expect(theDesk()).toBe(null);
  expect(shown()).toBe(`Payments${sentence}Ask your administrator for a new link: innkeep desk aurora`);
  expect(document.activeElement).toBe(document.querySelector('main'));
  vi.useRealTimers();
  expect(await violations(document.body)).toEqual([]);
});

test('without a connection the code is tried again', async () => {
  proxy.answer = 0;
  await open(CODE);
  expect(shown()).toContain('We couldn’t connect');
  proxy.answer = 429;
  await press('Retry now');
  expect(theDesk()).toBe(null);
  proxy.answer = undefined;
  await press('Retry now');
  expect(textOf(theDesk())).toContain('Hotel Aurora');
});

test('without a code and a connection the elements say what is wrong', async () => {
  proxy.answer = 0;
  await open(null);
  expect(textOf(theDesk())).toContain('Can’t connect to payments. We’ll reconnect automatically.');
});

test('signs out by its button, and not before the proxy has said so', async () => {
  await open(CODE);
  proxy.answer = 0;
  await press('Sign out');
  expect(shown()).toContain('We couldn’t connect. You may still be signed in.');
  proxy.answer = undefined;
  await press('Retry now');
  expect(shown()).toContain('You’re signed out.Ask your administrator');
  expect(proxy.hasCookie).toBe(false);
  proxy.calls.length = 0;
  await vi.advanceTimersByTimeAsync(30 * MINUTE_MS);
  expect(proxy.calls).toEqual([]);
});

test.each(['keydown', 'click', 'input'])(
  'ends when nobody touches it for 15 minutes, whatever comes in meanwhile: after a %s',
  async (sign) => {
    await open(CODE);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    const asked = proxy.at('/v1/desk').length;
    for (let nth = 0; nth < 2; nth++) document.body.dispatchEvent(new Event(sign, { bubbles: true }));
    // The proxy hears of it, too: whoever reads or types calls nothing.
    expect(proxy.at('/v1/desk').length - asked).toBe(1);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    asksNothing();
    await vi.advanceTimersByTimeAsync(14 * MINUTE_MS - 1);
    expect([theDesk() === null, question().open]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(shown()).toContain('You were signed out after 15 minutes of inactivity.');
    expect([proxy.hasCookie, proxy.at('/v1/desk/sign-out').length]).toEqual([false, 1]);
  },
);

test('asks two minutes before it ends, and goes on for whoever answers, where they were', async () => {
  await open(CODE);
  asksNothing();
  const search = one(theDesk(), '[type=search]');
  search.focus();
  await vi.advanceTimersByTimeAsync(13 * MINUTE_MS - 1);
  expect(question().open).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(document.activeElement?.textContent).toBe('Stay signed in');
  expect(question().textContent).toContain('You’ll be signed out in 2 minutes.');
  // A key that closed it would go on to what had the focus before.
  question().dispatchEvent(new Event('keydown', { bubbles: true }));
  expect(question().open).toBe(true);
  const closed = new Promise((resolve) => question().addEventListener('close', resolve));
  await press('Stay signed in');
  await closed;
  expect([question().open, search.matches(':focus')]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS - 1);
  expect(theDesk()).not.toBe(null);
});

test('the key of the search can be switched off, and stays so on this device', async () => {
  const slash = (): boolean =>
    !document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
  await open(CODE);
  expect([slash(), one(theDesk(), '[type=search]').matches(':focus')]).toEqual([true, true]);
  document.querySelector<HTMLInputElement>('footer input')?.click();
  await settled();
  expect(slash()).toBe(false);
  await open(null);
  expect([slash(), localStorage.length]).toEqual([false, 1]);
  document.querySelector<HTMLInputElement>('footer input')?.click();
  await settled();
  expect([slash(), localStorage.length]).toEqual([true, 0]);
});

test.each([
  ['has no storage', () => null],
  [
    'refuses it',
    () => {
      throw new DOMException('Access is denied', 'SecurityError');
    },
  ],
])('opens although the device %s, and the key can be switched off until it closes', async (_what, get) => {
  const storage = vi.spyOn(window, 'localStorage', 'get').mockImplementation(get as never);
  await open(CODE);
  document.querySelector<HTMLInputElement>('footer input')?.click();
  expect(theDesk().noShortcut).toBe(true);
  storage.mockRestore();
});

test('asks nobody after a sleep that was longer', async () => {
  await open(CODE);
  asksNothing();
  vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
  await vi.advanceTimersByTimeAsync(13 * MINUTE_MS + 1);
  await settled();
  expect(shown()).toContain('You were signed out');
});

test('lasts while somebody is at another tab of it', async () => {
  await open(CODE);
  asksNothing();
  await vi.advanceTimersByTimeAsync(14 * MINUTE_MS);
  const heard = nextMessage(new BroadcastChannel(ADDRESS));
  new BroadcastChannel(ADDRESS).postMessage(null);
  await heard;
  expect(question().open).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(theDesk()).not.toBe(null);
});

test('is replaced when another link is opened in another tab, and goes on as whoever that is for', async () => {
  const others = new BroadcastChannel(ADDRESS);
  const told = nextMessage(others);
  await open(CODE);
  const { data } = await told;
  expect(theDesk()).not.toBe(null);
  proxy.desk.desk = { ...proxy.desk.desk, person: { id: 'manager-max' } };
  const heard = nextMessage(new BroadcastChannel(ADDRESS));
  others.postMessage(data);
  await heard;
  expect(theDesk()).toBe(null);
  expect(shown()).toBe(
    'PaymentsAnother link was opened in this browser. What you do here is now recorded for the person it was created for.Continue',
  );
  await press('Continue');
  expect(textOf(theDesk())).toContain('manager-max');
  expect(proxy.at('/session')).toHaveLength(1);
});

test('opened once more, it goes on with its cookie, and tells no other tab', async () => {
  proxy.hasCookie = true;
  const onMessage = vi.fn();
  const others = new BroadcastChannel(ADDRESS);
  others.addEventListener('message', onMessage);
  await open(null);
  expect(proxy.at('/session')).toEqual([]);
  expect(textOf(theDesk())).toContain('Hotel Aurora');
  const heard = nextMessage(others);
  new BroadcastChannel(ADDRESS).postMessage('last');
  await heard;
  expect(onMessage).toHaveBeenCalledTimes(1);
});

test('says that it has ended when the proxy says so', async () => {
  await open(CODE);
  proxy.hasCookie = false;
  await vi.advanceTimersByTimeAsync(6_000);
  await settled();
  expect(textOf(theDesk())).toContain(
    'Your session has ended. Ask your administrator for a new link: innkeep desk aurora',
  );
  await click(theDesk(), 'Retry now');
  expect(all(theDesk(), '.notice.bad')).toHaveLength(1);
});

test.each([
  [['fr', 'de-AT', 'en'], 'de-AT', 'ltr', 'Abmelden'],
  [['ar-EG'], 'ar-EG', 'rtl', 'تسجيل الخروج'],
  [['fr'], 'en', 'ltr', 'Sign out'],
])('for %j speaks %s, %s', async (languages, lang, dir, signOut) => {
  await open(CODE, languages);
  expect(document.documentElement).toMatchObject({ lang, dir });
  expect(one(theDesk(), '.base').lang).toBe(lang);
  expect(theDesk().textContent).toBe(signOut);
  vi.useRealTimers();
  expect(await violations(document.body)).toEqual([]);
});
