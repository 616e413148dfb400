// The self-hosting guide's own configuration file, started the way the guide says.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseEnvFile } from '../../packages/edge-proxy/dist/runtime/serve-env-file.js';
import { toWorkerdConfig } from '../../packages/edge-proxy/dist/runtime/serve-workerd-config.js';
import { workerdPath } from '../../packages/edge-proxy/dist/runtime/serve-workerd-path.js';
import { freePort } from '../../scripts/launch.ts';
import { PATIENT } from '../../scripts/test-limits.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { ownFolder } from '../support/own-folder.ts';
import { environment, MERCHANT_KEY } from './support/environment.ts';

const PACKAGE = fileURLToPath(new URL('../../packages/edge-proxy', import.meta.url));
const BUNDLE = join(PACKAGE, 'dist/bundle');
const root = ownFolder();
const config = readFileSync(join(PACKAGE, 'self-hosting/innkeep.capnp'), 'utf8');
let runtime: ChildProcess;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  mkdirSync(join(root, 'data'));
  for (const file of globSync('*.js', { cwd: BUNDLE })) cpSync(join(BUNDLE, file), join(root, file));
  cpSync(join(PACKAGE, 'dist/assets'), join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'innkeep.capnp'), config.replace('127.0.0.1:8787', `127.0.0.1:${port}`));
  const env = {
    ...parseEnvFile(environment('https://pay.example')),
    PUBLIC_URL: 'https://pay.hotel.example',
    CLIENT_ADDRESS_HEADER: 'x-real-ip',
  };
  runtime = spawn(workerdPath(), ['serve', 'innkeep.capnp'], { cwd: root, env, stdio: 'inherit' });
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), PATIENT);
});
afterAll(async () => {
  runtime?.kill('SIGKILL');
  if (runtime?.exitCode === null && runtime.signalCode === null) await once(runtime, 'exit');
});

test('a session is created, and every address handed out is PUBLIC_URL’s', async () => {
  const body = { kind: 'payment', amount: { value: 100, currency: 'EUR' }, reference: 'R' };
  const created = await askProxy(`${url}/v1/checkout-sessions`, MERCHANT_KEY, { body });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const link = await askProxy(`${url}/v1/checkout-sessions/${id}/link`, MERCHANT_KEY, { body: {} });
  const { url: address } = (await link.json()) as { url: string };
  expect(new URL(address).origin).toBe('https://pay.hotel.example');
  const page = await fetch(`${url}${new URL(address).pathname}`);
  expect(await page.text()).toContain('Hotel Aurora');
});

test('an address is refused after 120 failures in a minute, whatever it says its address is', async () => {
  const guess = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}/v1/checkout`, { headers: { authorization: 'Bearer wrong', ...headers } })).status;
  const guesses = (count: number, headersOf: (index: number) => Record<string, string>): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => guess(headersOf(index))));
  const attacker = '198.51.100.1';
  // The runtime counts by the minute of the clock, and one may end meanwhile: more than two minutes' worth.
  const answers = await guesses(250, (index) => ({
    'x-real-ip': attacker,
    'cf-connecting-ip': `192.0.2.${index}`,
    'x-forwarded-for': `203.0.113.${index}`,
  }));
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(120);
  expect(await guess({ 'x-real-ip': `${attacker}, 198.51.100.2` })).toBe(401);
  expect(await guesses(150, () => ({ 'cf-connecting-ip': '192.0.2.9' }))).not.toContain(429);
});

test('the files beside the bundle are served', async () => {
  const description = await fetch(`${url}/openapi.json`);
  expect(await description.json()).toMatchObject({ openapi: '3.1.0' });
  expect((await fetch(`${url}/pages.css`)).headers.get('content-type')).toContain('text/css');
});

test('no web server that the guide sets up writes down an address that opens something', () => {
  const guide = readFileSync(join(PACKAGE, '../../docs/guides/self-hosting.md'), 'utf8');
  const blockOf = (language: string): string => guide.split(`\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';
  const [limits, ...servers] = blockOf('nginx').split(/^server \{$/m);
  // A server with a key may make many calls at once: a charge that the web server turns away is an unknown one to it.
  expect(limits).toMatch(/^map \$http_authorization \$guest .* "~\*\^Bearer \[sp\]k_" ""; }\nlimit_req_zone \$guest /);
  expect(servers).toHaveLength(2);
  for (const server of servers) {
    // Nor one that quotes a guest: before any location, and no location has a log of its own.
    expect(server).toMatch(/^\s+listen [^{]*\s+access_log off;\s+error_log \/dev\/null;/);
    expect(server.match(/_log /g)).toHaveLength(2);
  }
  // For all sites, because what goes wrong is written by no site's own log.
  expect(blockOf('caddyfile').split('\n}')[0]).toMatch(
    // Answers lead to links and to hosted pages. Caddy 2.6, which Debian and Ubuntu have, refuses fields that stand alone.
    /^\{\s+log \{\s+format filter \{\s+wrap json\s+fields \{\s+request>uri delete\s+request>headers delete\s+resp_headers delete\s/,
  );
});

test('the launcher writes what the guide’s file says, with its own paths, port and variables', () => {
  const own = { port: 1, storageDir: '/own/$&', assetsDir: '/own/assets', names: ['OWN'], allowsPrivateNetwork: true };
  const lines = toWorkerdConfig({ ...own, modules: ['own.js', 'own.part.js'] }).split('\n');
  const guide = config.split('\n');
  expect(lines.filter((line) => !guide.includes(line)).map((line) => line.trim())).toEqual([
    '(name = "internet", network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))),',
    '(name = "storage", disk = (path = "/own/$&", writable = true)),',
    '(name = "assets", disk = "/own/assets"),',
    'sockets = [(name = "http", address = "127.0.0.1:1", http = (), service = "proxy")],',
    'modules = [(name = "worker.js", esModule = embed "own.js"), (name = "own.part.js", esModule = embed "own.part.js")],',
    '(name = "OWN", fromEnvironment = "OWN"),',
  ]);
  expect(config).toContain('network = (allow = ["public"], ');
});
