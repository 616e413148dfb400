// What a start refuses, with the name of what is wrong, and what it leaves in its folder. How it lives and ends: processes.test.ts.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { type ServeOptions, serveProxy } from '@innkeep/edge-proxy/serve';
import { describe, expect, test, vi } from 'vitest';
import { main } from '../../packages/edge-proxy/dist/runtime/serve-command-line.js';
import { toAuthority } from '../../packages/edge-proxy/dist/runtime/serve-workerd-config.js';
import { freePort } from '../../scripts/launch.ts';
import { ownFolder } from '../support/own-folder.ts';
import { environment, saidDuring } from './support/environment.ts';

const root = ownFolder();
const [envFile, dataDir] = [join(root, 'proxy.env'), join(root, 'data')];
const settings = environment('http://127.0.0.1:1');
writeFileSync(envFile, settings, { mode: 0o600 });

/** Another file of settings. */
function fileOf(text: string): string {
  const file = join(root, 'another.env');
  writeFileSync(file, text);
  return file;
}

/** Settings that are right but for one line. */
const fileWith = (line: string): string => fileOf(`${settings}\n${line}\n`);

/** A folder with a file in it, for its owner and maybe others. */
function folderWith(name: string, text: string, mode = 0o700): string {
  const folder = join(root, `${name}-${text.trim()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, name), text);
  chmodSync(folder, mode);
  return folder;
}

/** A folder with another one where a file belongs. */
function folderWithout(file: string): string {
  const folder = join(root, `without-${basename(file)}`);
  mkdirSync(join(folder, file), { recursive: true, mode: 0o700 });
  return folder;
}

async function start(options: Partial<ServeOptions> = {}) {
  return serveProxy({ port: await freePort(), envFile, dataDir, onLine: () => undefined, ...options });
}

/** Runs the command line in this process; what it has printed, and the exit code that it leaves. */
async function runHere(args: readonly string[]): Promise<readonly [string, unknown]> {
  const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
  const before = process.exitCode;
  process.exitCode = 0;
  await main(args);
  const exitCode = process.exitCode;
  process.exitCode = before;
  const printed = writes.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join('');
  for (const write of writes) write.mockRestore();
  return [printed, exitCode];
}

describe('bad input stops with the name of what is wrong', () => {
  test.each([
    ['a bad --port', () => ['--port', 'http', '--env', envFile], '--port'],
    ['an unknown option', () => ['--prot', '1'], '--prot'],
    [
      'a line that cannot be read',
      () => ['--env', fileOf(`# Hotels\n${settings.replace('Hotel Aurora', "L'Aurore")}`), '--data', dataDir],
      'another.env: line 2 is not',
    ],
  ])('%s', async (_, args, name) => {
    const [printed, exitCode] = await runHere(args());
    expect(exitCode).toBe(1);
    expect(printed).toContain(name);
    expect(printed).not.toContain('at file:');
  });

  // The message of the process, as the table above shows.
  test.each([
    ['an empty --data', () => ({ dataDir: '' }), '--data: name'],
    ['a missing file', () => ({ envFile: join(root, 'nowhere') }), '--env'],
    ['a --port out of range', () => ({ port: 70_000 }), '--port'],
    ['a --data that is a file', () => ({ dataDir: envFile }), '--data'],
    ['a lock that is no file', () => ({ dataDir: folderWithout('lock') }), 'without-lock/lock cannot be used (EISDIR)'],
    ['a limit that is no number', () => ({ envFile: fileWith("LEDGER_MAX_BYTES='20 GB'") }), 'LEDGER_MAX_BYTES'],
    ['a limit in gigabytes', () => ({ envFile: fileWith('LEDGER_MAX_BYTES=20') }), 'at least 1000000'],
    ['an address header that is none', () => ({ envFile: fileWith("CLIENT_ADDRESS_HEADER='x real ip'") }), 'x-real-ip'],
    ['a wrong PUBLIC_URL', () => ({ envFile: fileWith('PUBLIC_URL=http://pay.hotel.example') }), 'PUBLIC_URL'],
    ['a file without a hotel', () => ({ envFile: fileOf('A=b') }), 'PROPERTY_<ID>'],
    ['a --data that others can open', () => ({ dataDir: folderWith('file', 'open', 0o750) }), 'chmod 700'],
    ['a --host that is none', () => ({ host: 'pay.hotel.example' }), '--host: pay.hotel.example is not an IP address'],
    ['another’s --host', () => ({ host: '192.0.2.1' }), '--host: 192.0.2.1 is not an address of this machine'],
  ])('%s', async (_, options, name) => {
    await expect(start(options())).rejects.toThrow(name);
  });

  // On a machine of one's own everything is where the machine is.
  test.each(['eu', 'europe'])('JURISDICTION=%s, a place that was promised', async (jurisdiction) => {
    const file = fileWith(`JURISDICTION=${jurisdiction}`);
    await expect(start({ envFile: file })).rejects.toThrow(
      `${file}: JURISDICTION is for Cloudflare: here everything is stored on this machine, so remove the line`,
    );
  });

  test('a port that is taken, before anything starts', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    // A server that listens on a port has an address with one.
    const { port } = taken.address() as { port: number };
    expect(await runHere(['--port', String(port), '--env', envFile, '--data', dataDir])).toEqual([
      `Port ${port} is in use. Stop what listens there, or choose another one with --port.\n`,
      1,
    ]);
    taken.close();
  });

  test.each(['2\n', 'next'])('a folder of version %j, in which nothing is touched', async (newer) => {
    const used = folderWith('schema-version', newer);
    const before = readFileSync(envFile, 'utf8');
    await expect(start({ dataDir: used })).rejects.toThrow(
      `--data: a newer version of the proxy has used ${used}: its data has version "${newer.trim()}", and this proxy knows 1. Nothing was changed. Start the newer version again, or name the copy of the folder that you made before the update.`,
    );
    expect(readdirSync(used)).toEqual(['schema-version']);
    expect([readFileSync(join(used, 'schema-version'), 'utf8'), readFileSync(envFile, 'utf8')]).toEqual([
      newer,
      before,
    ]);
  });
});

test.each<[reason: string, damage: (file: string) => unknown, starts: boolean]>([
  ['unable to open database file', (file) => mkdirSync(file), false],
  ['file is not a database', (file) => writeFileSync(file, 'x'.repeat(4_096)), false],
  ['no such table: _cf_ALARM', (file) => writeFileSync(file, ''), true],
  ['missing', () => undefined, true],
])('a file of tasks that cannot be read is named: %s', async (reason, damage, starts) => {
  const folder = folderWithout(`objects-${reason}/objects/innkeep-LedgerObject`);
  const data = join(folder, `objects-${reason}`);
  const file = join(data, 'objects/innkeep-LedgerObject/metadata.sqlite');
  chmodSync(data, 0o700);
  damage(file);
  const [first] = await saidDuring(async () => {
    const starting = start({ dataDir: data });
    if (starts) await (await starting).close();
    else await expect(starting).rejects.toThrow('The runtime stopped');
  });
  expect(first).toBe(
    `Overdue tasks were not spread out. If the file is damaged, restore it: without its tasks, payments are polled only when somebody reads them. ${file}: ${reason}\n`,
  );
});

test('--help says which options there are', async () => {
  const [printed, exitCode] = await runHere(['--help']);
  expect(exitCode).toBe(0);
  for (const option of ['--env', '--port', '--data', '--moto']) expect(printed).toContain(option);
});

test('a folder has the version of its data and a .gitignore, which stays as somebody writes it, and serves again', async () => {
  for (const ignored of ['*\n', 'node_modules\n']) {
    if (ignored !== '*\n') writeFileSync(join(dataDir, '.gitignore'), ignored);
    await (await start()).close();
    const files = ['schema-version', '.gitignore'].map((name) => readFileSync(join(dataDir, name), 'utf8'));
    expect(files).toEqual(['1\n', ignored]);
  }
});

test('--host opens it to other machines, and nothing else does', async () => {
  const port = await freePort();
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  const isServing = (address: string): Promise<boolean> =>
    fetch(`http://${address}:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const everywhere = await start({ host: '0.0.0.0', port });
  expect(everywhere.url).toBe(`http://127.0.0.1:${port}`);
  for (const { address } of others) expect(await isServing(address)).toBe(true);
  await everywhere.close();
  const loopback = await start({ port });
  for (const { address } of others) expect(await isServing(address)).toBe(false);
  await loopback.close();
});

test('an IPv6 address stands in brackets', () => {
  expect([toAuthority('::', 80), toAuthority('0.0.0.0', 80)]).toEqual(['[::]:80', '0.0.0.0:80']);
});
