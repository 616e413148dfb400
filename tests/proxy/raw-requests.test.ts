// Requests that no HTTP client makes, written to the socket of the real runtime byte by byte.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyStack, startMoneyStack } from '../support/money-stack.ts';

let proxy: MoneyStack;
beforeAll(async () => {
  proxy = await startMoneyStack();
});
afterAll(() => proxy?.close());

/** Sends the bytes and answers with all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(proxy.proxyUrl).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('close', () => done(answer)).on('error', fail);
  });
}

const body = JSON.stringify({ kind: 'payment', amount: { value: 100, currency: 'EUR' }, reference: 'RES-RAW' });
const post = (host: string): string =>
  `POST /v1/checkout-sessions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${proxy.merchantKey}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test.each(['a b', '[::1', '127.0.0.1:99999', 'a%zz', 'a@b', '/', ''])(
  'a call with the host “%s” does nothing and is told why',
  async (host) => {
    const answer = await raw(post(host));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const list = await proxy.call('/v1/checkout-sessions?reference=RES-RAW');
    expect(list.body).toMatchObject({ data: [] });
  },
);

test.each(['GET *', 'OPTIONS *', 'HEAD *', 'GET http://', 'GET x'])(
  'a request for no path is refused, and nothing throws: %s',
  async (line) => {
    const answer = await raw(`${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404|405|501) /);
    // Answered by the proxy, with all that its answers have.
    if (line.endsWith('*')) expect(answer).toMatch(/^x-request-id: [0-9a-f]{32}\r$/m);
  },
);

test.each(['127.0.0.1:80', '*'])('a tunnel to %s is closed before a byte goes through', async (target) => {
  const answer = await raw(`CONNECT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\n\r\n`);
  // The runtime has no other answer than this one or an error of its own.
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:[\w-]+: .*\r\n)*\r\n$/);
});

test.each(['/pay/..//elsewhere.example/', '/desk/..\\\\elsewhere.example/'])(
  'the way from %s leads to no other site',
  async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect(answer).not.toMatch(/^Location: (?!\/(?!\/))/im);
  },
);
