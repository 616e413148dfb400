import { expect, test } from 'vitest';
import { publicUrlOf } from './settings.ts';

const REACHED = 'https://elsewhere.test/v1/status';
const HERE = 'http://127.0.0.1:8787/v1/status';

test.each([
  ['what is configured', 'https://pay.hotel.example', REACHED, 'https://pay.hotel.example/'],
  ['what is configured, in the long form', 'https://pay.hotel.example/', HERE, 'https://pay.hotel.example/'],
  ['this machine as it is configured', 'http://localhost:80', REACHED, 'http://localhost/'],
  ['this machine as it was reached', undefined, HERE, 'http://127.0.0.1:8787/'],
  ['this machine as it was reached, with a setting that is empty', '', HERE, 'http://127.0.0.1:8787/'],
  ['none, as it was reached under another name', undefined, REACHED, undefined],
  ['none, as it was reached under no name', undefined, 'http://a b/', undefined],
  ['none, without https', 'http://pay.hotel.example', HERE, undefined],
  ['none, with a path', 'https://pay.hotel.example/pay', HERE, undefined],
  ['none, with a query', 'https://pay.hotel.example/?a', HERE, undefined],
  ['none, with a fragment', 'https://pay.hotel.example/#a', HERE, undefined],
  ['none, with something else', 'pay.hotel.example', HERE, undefined],
])('the proxy’s own address is %s', (_, PUBLIC_URL, requestUrl, expected) => {
  expect(publicUrlOf(PUBLIC_URL === undefined ? {} : { PUBLIC_URL }, requestUrl)?.href).toBe(expected);
});
