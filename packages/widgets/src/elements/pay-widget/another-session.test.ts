// One element, and one session after another: what belongs to the one before is not shown, told or opened again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeProxy, installFakeProxy, SECRET, SESSION_ID } from '../../../test-support/fake-proxy.ts';
import { cleanUp, fakeNavigation, listen, mount, part, reached, settle, text } from '../../../test-support/fixture.ts';

let proxy: FakeProxy;
const address = location.href;
const OTHER_ID = 'cs_01J0000000000000000000000B';
const OTHER_SECRET = SECRET.replace(SESSION_ID, OTHER_ID);

beforeEach(() => {
  proxy = installFakeProxy();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    // The one entry, and all of it that is read.
    { type: 'reload', domContentLoadedEventStart: 1 } as unknown as PerformanceEntry,
  ]);
});

afterEach(() => {
  history.replaceState(null, '', address);
  return cleanUp();
});

function returnFromHostedPage(): void {
  const url = new URL(address);
  url.searchParams.set('checkout_session', SESSION_ID);
  history.replaceState(null, '', url);
}

/** What this page hears of outcomes, and of sessions to pay. */
function told(): string[] {
  const names: string[] = [];
  for (const name of ['pay-ready', 'pay-completed', 'pay-canceled', 'pay-error'] as const)
    listen(name, ({ type }) => names.push(type));
  return names;
}

test.each(['', ', on the address that it came back to'])(
  'once its secret is taken away, the result belongs to the guest before%s',
  async (returned) => {
    fakeNavigation();
    if (returned) returnFromHostedPage();
    const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
    await widget.start();
    proxy.moveTo('succeeded');
    await reached(widget, 'succeeded');

    const names = told();
    widget.getClientSecret = async () => OTHER_SECRET;
    widget.clientSecret = undefined;
    await settle();
    expect(widget.state).toBe('idle');
    expect(part(widget, 'button')?.textContent).toContain('Pay now');
    expect(text(widget)).not.toContain('€121.80');
    // Put elsewhere on the page it is still the next guest's.
    widget.remove();
    await settle();
    document.body.append(widget);
    await settle();
    expect(widget.state).toBe('idle');
    expect(names).toEqual([]);
  },
);

test('without its secret, and without another, it waits for the next one', async () => {
  returnFromHostedPage();
  const widget = await mount('payment-status');
  const names = told();
  widget.clientSecret = undefined;
  await settle();
  expect(part(widget, 'skeleton')).not.toBeNull();
  expect(names).toEqual([]);
});
