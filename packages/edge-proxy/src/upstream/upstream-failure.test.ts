import { ConfigurationError, DeclinedError, InnkeepError, NetworkError, UntrustedUrlError } from '@innkeep/core/errors';
import { expect, test } from 'vitest';
import { parseProperty } from '../properties/configured-properties.ts';
import { failureCode, toPropertyRefusal, toUpstreamRefusal } from './upstream-failure.ts';

test.each([
  [new InnkeepError('authentication_failed', ''), 'property_unavailable', /credentials/],
  [new InnkeepError('timeout', ''), 'upstream_timeout', /in time/],
  [new DOMException('late', 'TimeoutError'), 'upstream_timeout', /in time/],
  [new DeclinedError('pay', '5'), 'upstream_rejected', /refused to open/],
  [new UntrustedUrlError('viewUrl', ''), 'upstream_rejected', /not trusted/],
  [new ConfigurationError('baseUrl', ''), 'property_unavailable', /configuration/],
  [new NetworkError(''), 'upstream_error', /cannot be reached/],
  [new InnkeepError('internal', ''), 'internal', /in the proxy/],
  [new Error('anything'), 'internal', /in the proxy/],
])('%s is told as %s', (error, code, detail) => {
  const named = error instanceof ConfigurationError ? { param: 'baseUrl' } : {};
  expect(toUpstreamRefusal(error)).toEqual({ ok: false, code, detail: expect.stringMatching(detail), ...named });
});

test.each([
  [new DeclinedError('pay', '5'), 'declined'],
  [new DOMException('late', 'TimeoutError'), 'timeout'],
  [new DOMException('gone', 'AbortError'), 'internal'],
  [{ name: 'TimeoutError' }, 'internal'],
  [undefined, 'internal'],
])('%s is logged as %s', (error, code) => {
  expect(failureCode(error)).toBe(code);
});

test.each([
  ['{', { retryAfterSeconds: 5 }],
  ['{}', { param: expect.stringMatching(/^[a-zA-Z]+$/) }],
])('a property whose settings are %s is refused, with the field at fault or when to ask again', (text, named) => {
  const property = parseProperty('hotel', text);
  if (!property.invalid) throw new Error('it is readable');
  expect(toPropertyRefusal(property)).toEqual({
    ok: false,
    code: 'property_unavailable',
    detail: expect.stringContaining('its operator'),
    ...named,
  });
});
