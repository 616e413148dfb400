// The self-hosting guide on a machine of its own: a mount namespace, in which useradd, chown, /etc and /srv are the real ones. What is
// missing is systemd; a stand-in starts what the unit says, as the user that it names.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { runInnkeep } from './run-innkeep.ts';
import { LOGIN, untilEnded, writePrograms } from './sandbox-hotel.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const AS_ROOT = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
const [PRIVILEGED = 'unshare', ...HOW] = [...AS_ROOT, 'unshare'];
/** Where nobody may make a namespace, this cannot be tried: Linux, and root or sudo without a password. */
const CAN_BE_TRIED = process.platform === 'linux' && spawnSync(PRIVILEGED, [...HOW, '--mount', 'true']).status === 0;

/** Makes the machine. Nothing outside of it changes. */
const MACHINE = `for folder in /srv /opt /var/backups /var/log; do mkdir -p "$folder"; mount -t tmpfs -o mode=755 machine "$folder"; done
cp -a /etc /opt/etc && mount --bind /opt/etc /etc
mkdir -p /opt/repository/node_modules /opt/repository/packages /opt/node
mount --bind "$REPOSITORY/node_modules" /opt/repository/node_modules
mount --bind "$REPOSITORY/packages" /opt/repository/packages
mount --bind "$NODE" /opt/node`;

const PROGRAMS: Readonly<Record<string, string>> = {
  npm: `case "$1" in
init) echo '{}' > package.json ;;
install)
  mkdir -p node_modules/@innkeep node_modules/.bin
  for name in edge-proxy cli; do ln -s "/opt/repository/packages/$name" "node_modules/@innkeep/$name"; done
  ln -s ../@innkeep/edge-proxy/bin/innkeep-proxy.js ../@innkeep/cli/bin/innkeep.js node_modules/.bin ;;
update) [ -f package.json ] ;;
*) exit 64 ;;
esac`,
  // Like the real one, it finds what is installed where it is called.
  npx: `[ "$1" = innkeep ] && shift && exec /opt/node/node node_modules/.bin/innkeep.js "$@"`,
  systemctl: `unit=/etc/systemd/system/innkeep.service
value() { sed -n "s/^$1=//p" "$unit"; }
stop() {
  [ -f "$W/pid" ] || return 0
  kill "$(cat "$W/pid")"; ${untilEnded('"$(cat "$W/pid")"')}; rm "$W/pid"
}
start() {
  user=$(value User); credential=$(value LoadCredential); export CREDENTIALS_DIRECTORY=/opt/credentials
  rm -rf "$CREDENTIALS_DIRECTORY"; install -d -m 500 -o "$user" "$CREDENTIALS_DIRECTORY"
  install -m 400 -o "$user" "\${credential#*:}" "$CREDENTIALS_DIRECTORY/\${credential%%:*}"
  cd "$(value WorkingDirectory)"; : > "$W/log"
  # Its parent is gone before it looks who that is, as nobody ends before a service of systemd.
  (setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set -all \\
    env -i PATH=/opt/node:/usr/bin:/bin CREDENTIALS_DIRECTORY="$CREDENTIALS_DIRECTORY" \\
    bash -c "umask $(value UMask); exec $(value ExecStart | sed "s/8787/$PORT/")" > "$W/log" 2>&1 & echo $! > "$W/pid")
}
case "$*" in
daemon-reload) [ -f "$unit" ] ;;
'enable --now innkeep' | 'start innkeep') start ;;
'stop innkeep') stop ;;
'restart innkeep') stop; start ;;
*) exit 64 ;;
esac`,
  journalctl: `[ "$1 $2" = '-u innkeep' ] && cat "$W/log"`,
  curl: `PATH="\${PATH#*:}" exec curl -f "$@"`,
};

/** What this test does between the guide's blocks waits for the proxy; what the guide does has to wait by itself. */
const UNTIL_READY =
  'until grep -q ^ready "$W/log"; do kill -0 "$(cat "$W/pid")" || { cat "$W/log" >&2; exit 1; }; sleep 0.05; done';

let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
let folder: string;
let namespaceProcess: ChildProcess;
let machine: string;
let port: number;
let secretKey = '';

beforeAll(async () => {
  if (!CAN_BE_TRIED) return;
  sandbox = await serveSandbox({ port: 0 });
  port = await freePort();
  folder = await mkdtemp(join(tmpdir(), 'innkeep-machine-'));
  await mkdir(join(folder, 'bin'));
  await writePrograms(join(folder, 'bin'), PROGRAMS, '#!/bin/bash\nset -e');
  await writeFile(join(folder, 'hotel.json'), JSON.stringify(hotelAt(sandbox.url)));
  const hold = ['--mount', '--propagation', 'private', 'sh', '-c', 'echo $$; exec sleep infinity'];
  namespaceProcess = spawn(PRIVILEGED, [...HOW, ...hold], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = (await once(namespaceProcess.stdout ?? namespaceProcess, 'data')) as [Buffer];
  machine = String(pid).trim();
  await run(MACHINE);
});

afterAll(async () => {
  if (!CAN_BE_TRIED) return;
  if (machine !== undefined) await run(`systemctl stop innkeep || true; kill ${machine}`);
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs commands on the machine, as root; their standard output. */
async function run(block: string): Promise<string> {
  const variables = {
    W: folder,
    REPOSITORY,
    NODE: dirname(process.execPath),
    PORT: String(port),
    HOME: '/root',
    ...LOGIN,
    INNKEEP_ENDPOINT: `http://127.0.0.1:${port}`,
    INNKEEP_SECRET_KEY: secretKey,
    PATH: `${folder}/bin:/opt/node:/usr/sbin:/usr/bin:/sbin:/bin`,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const commands = ['bash', '--norc', '-euo', 'pipefail', '-c', block];
  const [file = '', ...words] = [...AS_ROOT, 'nsenter', '--mount', '--target', machine, 'env', '-i', ...settings];
  const child = spawn(file, [...words, ...commands], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  // What a block leaves running keeps its streams open.
  const [exitCode] = (await once(child, 'exit')) as [number];
  expect([exitCode, exitCode === 0 ? '' : `${output.stdout}${output.stderr}`], block).toEqual([0, '']);
  return output.stdout;
}

it.skipIf(!CAN_BE_TRIED)(
  'a proxy of one’s own: set up as its own user, changed, backed up, restored, updated',
  async () => {
    const page = await readFile(join(REPOSITORY, 'docs/guides/self-hosting.md'), 'utf8');
    const [start = '', change = '', backUp = '', restore = '', update = '', logs = '', ...more] = [
      ...page.matchAll(/```sh\n([\s\S]*?)```/g),
    ].map(([, block = '']) =>
      block
        .replaceAll('8787', String(port))
        // Nobody serves that name with TLS here.
        .replaceAll('https://pay.hotel.example', `http://127.0.0.1:${port}`)
        // A live hotel needs a live payment service, and somebody at a terminal has no --from.
        .replace('hotel add aurora --live', `hotel add aurora --from ${folder}/hotel.json`),
    );
    expect(more).toEqual([]);
    secretKey = /^Merchant key +(sk_\w+)$/m.exec(await run(start))?.[1] ?? '';
    await run(UNTIL_READY);
    const owners =
      'cd / && stat -c "%U %a %n" srv/innkeep/data etc/innkeep/proxy.env && ps -o user= -p "$(cat "$W/pid")"';
    expect(await run(owners)).toBe('innkeep 700 srv/innkeep/data\nroot 600 etc/innkeep/proxy.env\ninnkeep\n');
    await run(change);
    await run(UNTIL_READY);
    /** Asks the proxy, from outside of the machine. */
    const innkeep = async (...words: readonly string[]): Promise<string> => {
      const env = { INNKEEP_ENDPOINT: `http://127.0.0.1:${port}`, INNKEEP_SECRET_KEY: secretKey };
      const { exitCode, stdout, stderr } = await runInnkeep(['session', ...words], { env });
      expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
      return stdout;
    };
    const create = (reference: string) => innkeep('create', '--amount', '1.00', 'EUR', '--reference', reference);
    const before = await create('BEFORE-COPY');
    await run(backUp);
    await run(UNTIL_READY);
    await create('AFTER-COPY');
    const listed = await run(restore);
    expect([before, listed].map((text) => text.includes('BEFORE-COPY'))).toEqual([true, true]);
    expect(await innkeep('list', '--all')).not.toContain('AFTER-COPY');
    // The one of an older version.
    await run('sed -i /^KillMode=/d /etc/systemd/system/innkeep.service');
    await run(update);
    await run(
      'cmp /srv/innkeep/node_modules/@innkeep/edge-proxy/self-hosting/innkeep.service /etc/systemd/system/innkeep.service',
    );
    await run(logs);
    await innkeep('list');
    expect(await readFile(join(folder, 'log'), 'utf8')).toContain('"message":"request"');
  },
);
