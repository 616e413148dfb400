// What an element says and does when it looks at its session once more.
import { expect } from 'vitest';
import { json, problem, SECRET, SESSION_ID, view, viewAfter } from '../../../test-support/fake-proxy.ts';
import {
  comeBackWith,
  listen,
  mount,
  part,
  proxy,
  reached,
  settle,
  test,
  text,
} from '../../../test-support/fixture.ts';

test('resolves with the state that it finds: waits on when the network is away, and not once its secret is revoked', async () => {
  proxy.moveTo('pending', { nextPollMs: 60_000 });
  const widget = await mount('pay-widget');
  proxy.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await widget.resume()).toBe('waiting');
  proxy.intercept = undefined;
  proxy.moveTo('open');
  expect(await widget.resume()).toBe('idle');
  proxy.intercept = () => problem(401, 'unauthorized');
  expect(await widget.resume()).toBe('error');
});

test('keeps a receipt that nobody can be asked for again', async () => {
  comeBackWith({ view: viewAfter('succeeded') });
  const widget = await mount('pay-widget', {});
  widget.reset();
  await settle();
  expect(widget.state).toBe('succeeded');
  expect(text(widget)).toContain('€121.80');
});

test('tells an outcome once, also when the page sets its secret late', async () => {
  comeBackWith({ view: viewAfter('succeeded') });
  proxy.moveTo('succeeded');
  const names: string[] = [];
  listen('pay-completed', ({ type, detail }) => names.push(`${type} ${detail.checkout?.id}`));
  const widget = await mount('pay-widget', {});
  widget.clientSecret = SECRET;
  await settle();
  expect(widget.state).toBe('succeeded');
  expect(names).toEqual([`pay-completed ${SESSION_ID}`]);
});

test('tells that a session is ready once it is open, and once', async () => {
  const names: string[] = [];
  for (const name of ['pay-ready', 'pay-canceled'] as const) listen(name, ({ type }) => names.push(type));
  proxy.moveTo('pending');
  const widget = await mount('pay-widget');
  expect(names).toEqual([]);
  for (let round = 0; round < 2; round++) {
    proxy.moveTo('canceled');
    await reached(widget, 'canceled');
    proxy.moveTo('pending');
    await widget.resume();
  }
  expect(names).toEqual(['pay-canceled', 'pay-ready', 'pay-canceled']);
});

test('begun anew in the guest’s click, it keeps the focus on its button', async () => {
  proxy.moveTo('succeeded');
  const widget = await mount('pay-widget', {
    clientSecret: SECRET,
    getClientSecret: async () => SECRET,
    continueLabel: 'Next guest',
  });
  listen('pay-continue', () => widget.reset());
  part(widget, 'continue')?.focus();
  part(widget, 'continue')?.click();
  await settle();
  expect(part(widget, 'button')?.textContent).toContain('Pay now');
  expect(widget.shadowRoot?.activeElement).toBe(part(widget, 'button'));
});

test('after a failed first look, “Try again” shows that it looks, and tells that it failed again', async () => {
  proxy.intercept = () => problem(503, 'upstream_unavailable');
  const widget = await mount('pay-widget');
  const button = part(widget, 'button');
  const said = part(widget, 'live')?.textContent;
  expect(said).toContain('Something went wrong');
  expect(button?.getAttribute('aria-disabled')).toBe('false');

  let answer: (response: Response) => void = () => {};
  proxy.intercept = () => new Promise((resolve) => (answer = resolve));
  button?.click();
  await settle();
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  expect(part(widget, 'spinner')).not.toBeNull();
  expect(part(widget, 'live')?.textContent).toBe('');
  answer(problem(503, 'upstream_unavailable'));
  await settle();
  expect(button?.getAttribute('aria-disabled')).toBe('false');
  expect(part(widget, 'spinner')).toBeNull();
  expect(part(widget, 'live')?.textContent).toBe(said);

  button?.click();
  await settle();
  answer(json(view()));
  await settle();
  expect(part(widget, 'button')?.textContent).toContain('Pay €120.00');
  expect(proxy.starts).toEqual([]);
});
