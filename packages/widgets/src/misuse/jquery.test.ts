import { afterEach, expect, test, vi } from 'vitest';
import { installFakeProxy, SECRET } from '../../test-support/fake-proxy.ts';
import { cleanUp, create, fakeNavigation, listen, settle } from '../../test-support/fixture.ts';

afterEach(cleanUp);

/** As jQuery's: a function as the value is called, and what it returns is set. */
function prop(element: object, name: string, value: unknown): void {
  Object.assign(element, { [name]: typeof value === 'function' ? value.call(element, 0, undefined) : value });
}

test('getClientSecret set by jQuery’s prop, which calls it: the console says so at once, and so does the click', async () => {
  const lines: string[] = [];
  const faults: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  listen('pay-error', ({ detail }) => faults.push(`${detail.code} ${detail.message}`));
  fakeNavigation();
  const { requests } = installFakeProxy();
  const widget = create('pay-widget');
  widget.id = 'jquery';
  document.body.append(widget);
  prop(widget, 'getClientSecret', async () => SECRET);
  await settle();
  expect(lines).toEqual([
    expect.stringMatching(
      /^<pay-widget#jquery> configuration: `getClientSecret` is no function\. jQuery’s `\.prop` calls/,
    ),
  ]);
  expect(lines[0]).not.toContain(SECRET);

  await widget.start();
  expect(faults).toEqual([expect.stringMatching(/^configuration `getClientSecret` is no function/)]);
  expect(requests).toEqual([]);
  expect(lines).toHaveLength(1);
});
