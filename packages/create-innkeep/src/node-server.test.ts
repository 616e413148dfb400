import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from './create-project.ts';

type Middleware = (...exchange: [...Parameters<RequestListener>, next: () => void]) => Promise<void>;

const folder = mkdtempSync(join(tmpdir(), 'create-innkeep-server-'));
const failures: unknown[] = [];
let server: Server;

beforeAll(async () => {
  createProject({ folder, template: 'vanilla', what: 'site' });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(import.meta.dirname, '../node_modules/@innkeep'), join(folder, 'node_modules/@innkeep'));
  const module: unknown = await import(pathToFileURL(join(folder, 'server/answer-payments.js')).href);
  const { answerPayments } = module as { readonly answerPayments: Middleware };
  server = createServer((request, response) => {
    // Nobody waits for it in the site's server: what it throws there ends the process.
    answerPayments(request, response, () => response.writeHead(299).end()).catch((error) => {
      failures.push(error);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['GET', '//', 299],
  ['GET', '//[/hooks', 299],
  ['GET', 'http://', 299],
  ['OPTIONS', '*', 299],
  ['GET', '/%', 299],
  ['GET', '/api/bookings/RES-1234/checkout?x=//', 404],
  ['GET', '/hooks?x', 405],
])('%s %s does not end the site', async (method, path, status) => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(failures.splice(0)).toEqual([]);
});
