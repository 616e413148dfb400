import { expect, vi } from 'vitest';
import { problem, SECRET } from '../../../test-support/fake-desk.ts';
import {
  all,
  button,
  click,
  enter,
  fake,
  focused,
  mount,
  one,
  prepareRefund,
  press,
  requestPayment,
  settle,
  test,
  textOf,
  violations,
} from '../../../test-support/fixture.ts';

const LINE = '.lines:not(.urgent *) .line';
// Names do not depend on colors, nor colors on names.
test.each([
  ['en', 'light', 'ltr'],
  ['de', 'dark', 'ltr'],
  ['ar', 'light', 'rtl'],
] as const)('is accessible in %s, %s, %s: the list, a payment, a form, a confirmation', async (locale, theme, dir) => {
  const desk = await mount('payments-desk', { locale, theme });
  expect(await violations(desk)).toEqual([]);
  expect(one(desk, '.base').dir).toBe(dir);
  one(desk, LINE).click();
  await settle();
  one(desk, 'payment-details').shadowRoot?.querySelector<HTMLElement>('.buttons button')?.click();
  await settle();
  one(desk, '.action .primary').click();
  await settle();
  expect(all(desk, '[aria-invalid]')).toHaveLength(1);
  // Where the focus stays on the field, nothing else would be heard.
  expect(one(desk, '.error').role).toBe('alert');
  expect(await violations(desk)).toEqual([]);
  await enter(desk, 'reason', 'service');
  one(desk, '.action .primary').click();
  await settle();
  expect(await violations(desk)).toEqual([]);
});

test('is accessible while it waits, and when nothing can be read', async () => {
  let refuse = (): void => {};
  const refused = new Promise<Response>((resolve) => {
    refuse = () => resolve(problem(503, 'upstream_unreachable'));
  });
  fake.intercept = ({ path }) => (path === 'payments' ? refused.then((answer) => answer.clone()) : undefined);
  const desk = await mount('payments-desk');
  expect([one(desk, 'h2').textContent, await violations(desk)]).toEqual(['Today', []]);
  refuse();
  await settle();
  expect(textOf(desk)).toContain('Can’t connect to payments.');
  expect([one(desk, 'h2').textContent, await violations(desk)]).toEqual(['Today', []]);
});

test('is worked by keyboard: / searches, Enter and arrows go to the lines, Esc comes back to where it was', async () => {
  const desk = await mount('payments-desk');
  await press(document.body, '/');
  const search = one<HTMLInputElement>(desk, '[type=search]');
  expect(focused()).toBe(search);
  search.value = 'res-';
  search.form?.requestSubmit();
  await settle();
  expect(fake.at('payments').at(-1)?.query.q).toBe('res-');
  expect(focused()).toBe(all(desk, '.line')[0]);
  await press(all(desk, '.line')[0] as HTMLElement, 'ArrowDown');
  const second = all(desk, '.line')[1];
  expect(focused()).toBe(second);
  second?.click();
  await settle();
  expect(focused()?.localName).toBe('h2');
  expect(focused()?.textContent).toContain('RES-2000');
  await press(focused() as Element, 'Escape');
  expect(all(desk, 'payment-details')).toEqual([]);
  expect(focused()).toBe(second);
  desk.noShortcut = true;
  await settle();
  await press(second as Element, '/');
  expect(focused()).toBe(second);
  desk.noShortcut = false;
  await settle();
  await press(second as Element, '/');
  expect(focused()).toBe(search);
});

test.each([
  '<input>',
  '<input type="number">',
  '<textarea></textarea>',
  '<select><option>/</option></select>',
  '<p contenteditable><b tabindex="0">Note</b></p>',
])('leaves / to whoever writes into the page’s own %s', async (field) => {
  await mount('payments-desk');
  const page = document.createElement('div');
  page.innerHTML = field;
  document.body.append(page);
  const written = page.querySelector<HTMLElement>('b, input, textarea, select');
  written?.focus();
  const isPrevented = !written?.dispatchEvent(
    new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true, cancelable: true }),
  );
  const active = focused();
  page.remove();
  expect([isPrevented, active]).toEqual([false, written]);
});

test('asks for money once: a link to copy, to mail, and as a picture only when it is wanted', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  const desk = await mount('payments-desk', { locale: 'de' });
  await click(desk, 'Zahlung anfordern');
  await enter(desk, 'amount', '1.234,50');
  await enter(desk, 'reference', ' RES-77 ');
  await enter(desk, 'description', 'Sauna');
  one<HTMLFormElement>(desk, '.action form').requestSubmit();
  one<HTMLFormElement>(desk, '.action form').requestSubmit();
  await settle();
  const made = fake.at('checkout-sessions');
  expect(made.map(({ body }) => body)).toEqual([
    {
      kind: 'payment',
      amount: { value: 123_450, currency: 'EUR' },
      reference: 'RES-77',
      description: 'Sauna',
      expiresInSeconds: 604_800,
    },
  ]);
  const url = one<HTMLInputElement>(desk, '.pay-link input').value;
  expect(url).toContain('/pay/cs_');
  expect(all(desk, 'img')).toEqual([]);
  await click(desk, 'QR-Code');
  expect(one<HTMLImageElement>(desk, 'img').src).toBe(`${url}/qr.svg`);
  const mail = decodeURIComponent((button(desk, 'Per E-Mail') as HTMLAnchorElement).href);
  expect(mail.replace(/\s/g, ' ')).toContain('1.234,50 € für RES-77');
  expect(mail).toContain(url);
  await click(desk, 'Kopieren');
  expect(copied).toEqual([url]);
  expect(one(desk, '.pay-link [role=status]').textContent).toBe('Kopiert');
  expect(await violations(desk)).toEqual([]);
});

test('shows what happened elsewhere also when another payment is opened before the feed is asked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T10:00:00Z') });
  const desk = await mount('payments-desk');
  fake.change('cs_01J00000000000000000000003', { status: 'succeeded' });
  await click(desk, '9:02 AM');
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(textOf(desk)).toContain('RES-3000 Lake Room, 2 nights Paid');
  // What the payment has read is not what the list follows.
  await click(desk, 'Back to list');
  fake.change('cs_01J00000000000000000000003', { status: 'reversed' });
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(textOf(desk)).toContain('RES-3000 Lake Room, 2 nights Refunded');
});

test('begins a form anew that was left after its outcome, and shows the link that came while nobody looked', async () => {
  const desk = await mount('payments-desk');
  await click(desk, '9:02 AM');
  await prepareRefund(desk, { amount: '20', reason: 'service' });
  expect(await click(desk, 'Refund €20.00')).toContain('Refunded.');
  await click(desk, 'Back to list');
  await click(desk, '9:02 AM');
  expect(await click(desk, 'Refund')).not.toContain('Refunded.');
  await click(desk, 'Cancel');

  let answer = (): void => {};
  const leaveWhileItIsSent = async (path: string, send: () => Promise<void>): Promise<void> => {
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    fake.intercept = (call) => {
      if (call.path !== path) return undefined;
      fake.intercept = undefined;
      return isAnswered.then(() => fake.answer(call));
    };
    await send();
    // Nothing can be taken back any more.
    await press(focused() as Element, 'Escape');
    expect(textOf(desk)).toContain('Sending… Please wait.');
    await click(desk, 'Back to list');
    answer();
    await settle();
  };
  await leaveWhileItIsSent('reversals', async () => {
    await prepareRefund(desk, { amount: '30', reason: 'service' });
    await click(desk, 'Refund €30.00');
  });
  await click(desk, '9:02 AM');
  expect(await click(desk, 'Refund')).not.toContain('Refunded.');
  await click(desk, 'Back to list');

  await leaveWhileItIsSent('checkout-sessions', () => requestPayment(desk));
  await click(desk, 'Request payment');
  expect(one<HTMLInputElement>(desk, '.pay-link input').value).toContain('/pay/cs_');
  await click(desk, 'Request payment');
  expect(all<HTMLInputElement>(desk, '[name=amount], .pay-link').map(({ value }) => value)).toEqual(['']);
});

test.each(['flex', 'grid'])('takes the room that there is where the page centers it: %s', async (display) => {
  const page = document.createElement('main');
  page.style.cssText = `display: ${display}; place-items: center; inline-size: 900px`;
  const desk = await mount('payments-desk');
  document.body.append(page);
  desk.style.margin = '16px';
  page.append(desk);
  expect(desk.getBoundingClientRect().width).toBe(868);
});

test('offers nothing that the desk session may not do', async () => {
  fake.allow('read');
  const desk = await mount('payments-desk');
  for (const line of all(desk, LINE)) {
    line.click();
    await settle();
    expect(all(one(desk, 'payment-details'), 'button').map((each) => each.textContent)).toEqual([]);
  }
  const names = all(desk, 'button').map((each) => each.textContent?.trim());
  expect(names).not.toContain('Request payment');
  expect(names).not.toContain('Export CSV');
});

test('keeps the secret out of the page, its address, its storage and every error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const desk = await mount('payments-desk');
  await click(desk, '9:02 AM');
  await click(desk, 'Request payment');
  const seen = [
    desk.outerHTML,
    ...[desk, ...all(desk, 'payments-list, payment-details')].map((each) => each.shadowRoot?.innerHTML),
    location.href,
    JSON.stringify({ ...localStorage, ...sessionStorage }),
    JSON.stringify(fake.calls.map(({ path, query, body }) => [path, query, body])),
    JSON.stringify(log.mock.calls),
  ].join('\n');
  expect(fake.calls.every(({ secret }) => secret === SECRET)).toBe(true);
  expect(seen).not.toContain(SECRET);
});

test.each([
  ['a key of a server', { getClientSecret: async () => ['sk', 'test', 'x'].join('_') }],
  ['an address that is none', { endpoint: 'https://<your-proxy>' }],
  ['an address that is none, without a function', { endpoint: 'http://localhost:87870', getClientSecret: undefined }],
])('sends nothing with %s, and says that the page is not set up', async (_, properties) => {
  const desk = await mount('payments-desk', properties);
  expect(fake.calls).toEqual([]);
  expect(textOf(desk)).toContain('This page isn’t set up for payments.');
});

test('waits for the function that gives the secret, and is not begun anew by another one', async () => {
  const desk = await mount('payments-desk', { getClientSecret: undefined });
  expect(fake.calls).toEqual([]);
  desk.getClientSecret = async () => SECRET;
  await settle();
  expect(textOf(desk)).toContain('RES-1234');
  const before = fake.calls.length;
  desk.getClientSecret = async () => SECRET;
  await settle();
  expect(fake.calls).toHaveLength(before);
});

test('takes texts of the page, also for a language of its own', async () => {
  const desk = await mount('payments-desk', { locale: 'fr', messages: { today: 'Aujourd’hui' } });
  expect(textOf(desk)).toContain('Aujourd’hui');
  expect(textOf(desk).replace(/\s/g, ' ')).toContain('330,00 €');
});
