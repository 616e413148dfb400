import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createProject } from './create-project.ts';

type Middleware = (...exchange: [...Parameters<RequestListener>, next: () => void]) => Promise<void>;

const folder = mkdtempSync(join(tmpdir(), 'create-innkeep-server-'));
const failures: unknown[] = [];
createProject({ folder, template: 'vanilla', what: 'site' });
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(import.meta.dirname, '../node_modules/@innkeep'), join(folder, 'node_modules/@innkeep'));
const module: unknown = await import(pathToFileURL(join(folder, 'server/answer-payments.js')).href);
const { answerPayments } = module as { readonly answerPayments: Middleware };
const server = createServer((request, response) => {
  // Nobody waits for it in the site's server: what it throws there ends the process.
  answerPayments(request, response, () => response.writeHead(299).end()).catch((error) => {
    failures.push(error);
    response.writeHead(500).end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
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

// The real sirv hands it to `fs.createReadStream`, which throws, and nobody catches it.
test('a range that ends before it begins does not end the site', async () => {
  const sirv = `import { createReadStream } from 'node:fs';
    export default () => ({ headers: { range } }, response) => {
      const [start, end] = range?.match(/\\d+/g)?.map(Number) ?? [];
      createReadStream('package.json', { start, end }).pipe(response);
    };`;
  mkdirSync(join(folder, 'node_modules/sirv'));
  writeFileSync(join(folder, 'node_modules/sirv/index.mjs'), sirv);
  writeFileSync(join(folder, 'node_modules/sirv/package.json'), '{ "exports": "./index.mjs" }');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const env = { ...process.env, PORT: String(port) };
  const site = spawn(process.execPath, ['server/server.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(site.stdout, 'data');
    for (const path of ['/', '/innkeep/widgets.js']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { range: 'bytes=5-2' } });
      expect([path, await answer.json()]).toEqual([path, expect.objectContaining({ dependencies: expect.anything() })]);
    }
  } finally {
    site.kill();
  }
});
