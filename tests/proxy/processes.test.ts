import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { ownFolder } from '../support/own-folder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { environment, MERCHANT_KEY, saidDuring } from './support/environment.ts';
import { endLaunched, launch, SERVE } from './support/launch.ts';

const root = ownFolder();
const envFile = join(root, 'proxy.env');
const dataDir = join(root, 'data');
let port: number;

beforeAll(async () => {
  writeFileSync(envFile, environment('http://127.0.0.1:1'), { mode: 0o600 });
  port = await freePort();
});
afterEach(() => endLaunched('SIGTERM'));

const usual = (): string[] => ['--port', String(port), '--env', envFile, '--data', dataDir];
const isServing = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
const runtimePid = (folder = dataDir): number => Number(readFileSync(join(folder, 'workerd.pid'), 'utf8'));
/** A process that has ended but was not yet collected has no command line. */
const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

/** Another file of settings. */
function fileOf(text: string): string {
  const file = join(root, 'another.env');
  writeFileSync(file, text);
  return file;
}

/** What a proxy says of another file of settings, before it serves. */
const saidWith = (file: string): Promise<string[]> =>
  saidDuring(async () => (await serveProxy({ port, envFile: file, dataDir, onLine: () => undefined })).close());

/** Settings of a hotel where money is real. */
function liveEnvironment(): string {
  return environment('https://pay.example').replace(
    /"(providerDirect|providerHosted|origins)":("[^"]*"|\[[^\]]*\]),/g,
    (_, name) => (name === 'origins' ? '"livemode":true,"origins":[],' : `"${name}":"VENDOR",`),
  );
}

/** Makes a session, the same one each time, and answers with what its guest has. */
async function newClientSecret(url: string): Promise<string> {
  const body = { kind: 'payment', amount: { value: 100, currency: 'EUR' }, reference: 'RES-1234' };
  const answer = await askProxy(`${url}/v1/checkout-sessions`, MERCHANT_KEY, { body, key: 'RES-1234' });
  return ((await answer.json()) as { readonly clientSecret: string }).clientSecret;
}

test('what is wrong ends the process', async () => {
  const { ended, output } = launch(['--port', String(port)]);
  expect([await ended, output()]).toEqual([1, '--env: name the file with PUBLIC_URL and PROPERTY_<ID>\n']);
});

test('a broken hotel is named with its field, while the other serves', async () => {
  const good = environment('http://127.0.0.1:1');
  const bad = good.replace('PROPERTY_AURORA', 'PROPERTY_BOREALIS').replace('Europe/Vienna', 'Europe/Atlantis');
  const mixed = fileOf(good + bad);
  expect((await saidWith(mixed)).join()).toContain('PROPERTY_BOREALIS: field "timeZone"');
});

test('a live hotel without PUBLIC_URL is served, reaches public addresses alone, and is said to have links of this machine', async () => {
  const said = async (line: string): Promise<string> => {
    const live = fileOf(`${liveEnvironment()}\nSEALING_KEYS=${Buffer.alloc(32, 1).toString('base64')}\n${line}\n`);
    return (await saidWith(live)).join();
  };
  expect(await said('PUBLIC_URL=')).toContain('PUBLIC_URL is missing');
  const collector = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  for (const near of ['http://127.0.0.1:4318', 'https://10.0.0.5', 'https://otel.local']) {
    const own = await said(`PUBLIC_URL=https://pay.hotel.example\n${collector}=${near}`);
    expect(own).not.toContain('PUBLIC_URL');
    expect(own).toContain(`${collector} is on this machine or in its network, which the proxy of a live hotel`);
  }
  expect(readFileSync(join(dataDir, 'workerd.capnp'), 'utf8')).toContain('network = (allow = ["public"], ');
});

test('what is odd about the file of settings is said, one line each, before anything starts', async () => {
  const taken = await serveHttp(() => undefined);
  onTestFinished(() => taken.close());
  const hotel = environment('http://127.0.0.1:1');
  const file = fileOf(`${hotel}\n${hotel}CLIENT_ADRESS_HEADER=x-real-ip\nPROPERTY_borealis={}\nplatform_alpine={}\n`);
  const options = { port: Number(new URL(taken.url).port), envFile: file, dataDir };
  const said = (): Promise<string[]> => saidDuring(() => expect(serveProxy(options)).rejects.toThrow('is in use'));
  const lines = [
    `${file}: PROPERTY_AURORA appears twice: the last one counts\n`,
    `${file}: CLIENT_ADRESS_HEADER is not a setting of the proxy\n`,
    `${file}: PROPERTY_borealis is not a setting of the proxy: PROPERTY_ is followed by 1 to 40 of A-Z, 0-9 and _\n`,
    `${file}: platform_alpine is not a setting of the proxy: PLATFORM_ is followed by 1 to 40 of A-Z, 0-9 and _\n`,
  ];
  chmodSync(file, 0o640);
  expect(await said()).toEqual(lines);
  chmodSync(file, 0o644);
  expect(await said()).toEqual([`${file}: other users can read it: chmod 600 ${file}\n`, ...lines]);
});

describe('SEALING_KEYS of a test hotel that has none', () => {
  const own = join(root, 'without-keys.env');
  const settings = environment('http://127.0.0.1:1').trimEnd();
  const options = { envFile: own, dataDir: join(root, 'without-keys') };

  /** Starts the proxy on the same data, and makes the same session. */
  async function clientSecret(): Promise<unknown> {
    const ownPort = await freePort();
    const proxy = await serveProxy({ ...options, port: ownPort, onLine: () => undefined });
    const secret = await newClientSecret(proxy.url);
    await proxy.close();
    return secret;
  }

  test('are appended to its file once, and the secrets of its sessions live by them', async () => {
    writeFileSync(own, settings);
    const first = await clientSecret();
    const appended = readFileSync(own, 'utf8');
    expect(first).toMatch(/^cs_/);
    expect(appended.slice(0, settings.length)).toBe(settings);
    expect(appended.slice(settings.length)).toMatch(/^\nSEALING_KEYS='[A-Za-z0-9+/]{43}='\n$/);
    expect(await clientSecret()).toBe(first);
    expect(readFileSync(own, 'utf8')).toBe(appended);
    // They lie in the file alone: with the data and another key nobody gets at the secret.
    writeFileSync(own, settings);
    expect(await clientSecret()).not.toBe(first);
  });

  test('are not made where the settings come from a pipe, in which they would be lost', async () => {
    writeFileSync(own, settings);
    const command = 'exec "$0" "$1" --port "$2" --data "$3" --env <(cat "$4")';
    const args = [process.execPath, SERVE, String(port), join(root, 'piped'), own];
    const { ready } = launch(args, ['bash', '-c', command]);
    await ready();
    expect(readFileSync(join(root, 'piped', 'workerd.capnp'), 'utf8')).not.toContain('SEALING_KEYS');
  });

  test('are not made for a live hotel, which is refused and whose file stays as it is', async () => {
    const live = liveEnvironment();
    writeFileSync(own, live);
    await expect(serveProxy({ ...options, port })).rejects.toThrow('no usable hotel');
    expect(readFileSync(own, 'utf8')).toBe(live);
  });

  test('are not made beside a live hotel either, which stays refused, and keeps private networks out', async () => {
    const beside = settings.replace('AURORA', 'BOREALIS').replace(/"sha256":"\w+"/, `"sha256":"${'b'.repeat(64)}"`);
    const both = `${liveEnvironment()}${beside}`;
    writeFileSync(own, both);
    await saidDuring(async () => {
      const proxy = await serveProxy({ ...options, port, onLine: () => undefined });
      expect((await askProxy(`${proxy.url}/v1/checkout-sessions`, MERCHANT_KEY)).status).toBe(503);
      await proxy.close();
    });
    expect(readFileSync(own, 'utf8')).toBe(both);
    expect(readFileSync(join(options.dataDir, 'workerd.capnp'), 'utf8')).toContain('network = (allow = ["public"], ');
  });
});

describe('the runtime lives as long as its launcher', () => {
  test('SIGTERM ends both, cleanly: a call under way comes to its end, unless there is a second one', async () => {
    const held: ServerResponse[] = [];
    const service = await serveHttp((_request, answer) => held.push(answer));
    onTestFinished(() => service.close());
    const own = join(root, 'held.env');
    writeFileSync(own, environment(service.url));
    const preload = `data:text/javascript,${encodeURIComponent(`const { now } = Date;
      process.on('SIGTERM', () => console.log('told'));
      process.once('SIGUSR2', () => {
        let backMs = 3_600_000;
        // Between any two looks at it are two seconds.
        Date.now = () => now() - (backMs -= 2_000);
      });`)}`;
    for (const how of ['again', 'once', 'once, when it already stops because the clock was set back']) {
      const isAskedAgain = how === 'again';
      // A hotel whose login was refused waits before the next one.
      const data = join(root, `held-${how.length}`);
      const args = ['--port', String(port), '--env', own, '--data', data];
      const { child, ready, ended, output } = launch(args, [process.execPath, '--import', preload, SERVE]);
      await ready();
      const pid = runtimePid(data);
      const url = `http://127.0.0.1:${port}`;
      const body = { presentation: 'tab', terms: 1 };
      const started = askProxy(`${url}/v1/checkout/start`, await newClientSecret(url), { body }).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await expect.poll(() => held.length).toBe(1);
      const idle = connect(port, '127.0.0.1', () => idle.write('GET /healthz HTTP/1.1\r\nhost: proxy\r\n\r\n'));
      await once(idle, 'data');
      const isSetBack = how.includes('set back');
      // It waits for nobody, so the stop has begun.
      const hasBegun = once(idle, 'close');
      child.kill(isSetBack ? 'SIGUSR2' : 'SIGTERM');
      await hasBegun;
      if (isSetBack) child.kill('SIGTERM');
      await expect.poll(output).toContain('told');
      // The call that waits for a login.
      const login = held.pop();
      if (!isAskedAgain) login?.writeHead(403).end();
      else await expect.poll(() => child.kill('SIGTERM') || child.exitCode).toBe(0);
      expect(await started).toBe(isAskedAgain ? 'cut off' : 503);
      expect([await ended, isAlive(pid), await isServing()]).toEqual([isSetBack ? 1 : 0, false, false]);
      if (!isAskedAgain) expect(output()).not.toContain('stopped (');
    }
  });

  test('SIGTERM in the moment in which it is ready ends both, too', async () => {
    const endsWhenReady = `const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = (text, ...more) => {
        const isWritten = write(text, ...more);
        if (String(text).startsWith('ready ')) process.kill(process.pid, 'SIGTERM');
        return isWritten;
      };`;
    const preload = `data:text/javascript,${encodeURIComponent(endsWhenReady)}`;
    const { ended } = launch(usual(), [process.execPath, '--import', preload, SERVE]);
    expect(await ended).toBe(0);
    expect(await isServing()).toBe(false);
  });

  test('a clock that is set back ends both, not one that is a little behind, and what the runtime waits for follows it', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(`const { now } = Date;
      process.once('SIGUSR2', () => {
        let backMs = 50_000;
        Date.now = () => {
          const at = now() - backMs;
          if (new Error().stack.includes('clockAheadMs')) backMs = 3_650_000;
          return at;
        };
      });`)}`;
    const clockData = join(root, 'clock');
    const args = ['--port', String(port), '--env', envFile, '--data', clockData];
    const { child, ready, ended, output } = launch(args, [process.execPath, '--import', preload, SERVE]);
    await ready();
    await newClientSecret(`http://127.0.0.1:${port}`);
    child.kill('SIGUSR2');
    expect(await ended).toBe(1);
    expect(output()).toContain('The clock was set back by 3600 s. Stopped');
    expect(await isServing()).toBe(false);
    const database = new DatabaseSync(join(clockData, 'objects/innkeep-CheckoutSessionObject/metadata.sqlite'));
    const [alarm] = database.prepare('SELECT scheduled_time / 1000000 AS at FROM _cf_ALARM').all();
    database.close();
    // It was to expire in half an hour.
    expect(Math.round((Number(alarm?.at) - Date.now()) / 60_000)).toBe(-30);
  });

  test('SIGKILL of the launcher takes the runtime along, and the same storage starts again', async () => {
    const first = launch(usual());
    await first.ready();
    const pid = runtimePid();
    first.child.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    const second = await serveProxy({ port, envFile, dataDir, onLine: () => undefined });
    expect(second.pid).not.toBe(pid);
    await second.close();
  });

  test('a runtime that is killed ends the launcher, which says so', async () => {
    const { ready, ended, output } = launch(usual());
    await ready();
    process.kill(runtimePid(), 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^The runtime stopped \(signal SIGKILL\)\.$/m);
  });

  // Linux says whose child a process is.
  test.runIf(process.platform === 'linux')('what is killed between them leaves no runtime behind', async () => {
    const { ready, ended } = launch(usual());
    await ready();
    const pid = runtimePid();
    const [, supervisor] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    process.kill(Number(supervisor), 'SIGKILL');
    expect(await ended).toBe(1);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  // Linux has a file on a disk that is always full.
  test.runIf(process.platform === 'linux')('a start that fails on a full disk leaves nothing running', async () => {
    const full = join(root, 'full');
    mkdirSync(full, { mode: 0o700 });
    symlinkSync('/dev/full', join(full, 'workerd.pid'));
    const { child, output } = launch(['--port', String(port), '--env', envFile, '--data', full]);
    await expect.poll(output).toContain(`--data: ${full} cannot be used (ENOSPC): its disk is full`);
    await expect.poll(() => child.exitCode).toBe(1);
    expect(await isServing()).toBe(false);
  });

  test.runIf(process.platform === 'linux')('a log on a full disk does not end it', async () => {
    const { ready, stop } = launch(usual(), ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh', process.execPath, SERVE]);
    await ready();
    expect(await isServing()).toBe(true);
    expect(await stop('SIGTERM')).toBe(0);
  });

  test('whoever runs it in a process of their own is told, too', async () => {
    const proxy = await serveProxy({ port, envFile, dataDir, onLine: () => undefined });
    process.kill(proxy.pid, 'SIGTERM');
    expect(await proxy.exited).toMatch(/^(signal SIGTERM|code \d+)$/);
    // A service ends it from more than one place.
    await Promise.all([proxy.close(), proxy.close()]);
    await proxy.close();
  });

  test('SIGKILL of what started the launcher ends it, too', async () => {
    const { child, ready, output } = launch(usual(), ['sh', '-c', '"$@"; exit $?', 'sh', process.execPath, SERVE]);
    await ready();
    const pid = runtimePid();
    child.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(output).toContain('Stopped, because the process that started it has ended');
    expect(output()).not.toContain('Error');
  });
});
