// The files of the self-hosting guide: what the unit promises, and that containers start what it starts.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const UNIT = fileURLToPath(new URL('../../packages/edge-proxy/self-hosting/innkeep.service', import.meta.url));
const canAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!canAnalyze)('the unit leaves a service little that it could harm', () => {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT], {
    encoding: 'utf8',
  });
  expect(Number(/exposure level for innkeep\.service: (\d+\.\d+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
});

it('the unit goes on trying, however often and long a start fails', async () => {
  const [unit = '', service = ''] = (await readFile(UNIT, 'utf8')).split(/^\[Service\]$/m);
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(service).toMatch(/^Restart=always$/m);
  expect(service).toMatch(/^RestartSec=[1-9]\d*$/m);
});

it('nobody cuts a stop short, in which calls under way have 30 seconds to end', async () => {
  for (const [name, limit] of [
    ['innkeep.service', /^TimeoutStopSec=(\d+)$/m],
    ['compose.yaml', /^ +stop_grace_period: (\d+)s$/m],
  ] as const) {
    const [, seconds] = limit.exec(await readFile(join(dirname(UNIT), name), 'utf8')) ?? [];
    expect(Number(seconds), name).toBeGreaterThan(30);
  }
});

it('no crash writes the memory, with its keys and keyed-in cards, to the disk', async () => {
  const [unit, compose] = await Promise.all(
    ['innkeep.service', 'compose.yaml'].map((name) => readFile(join(dirname(UNIT), name), 'utf8')),
  );
  expect(unit).toMatch(/^LimitCORE=0$/m);
  expect(compose).toMatch(/^ {4}ulimits: \{ core: 0 \}$/m);
});

it('the guide to keyed-in cards starts what the unit starts, with the same data', async () => {
  const guide = await readFile(join(dirname(UNIT), '../../../docs/guides/keyed-in-cards.md'), 'utf8');
  const started = (text: string) => text.match(/^ExecStart=.*$/gm);
  const [plain] = started(await readFile(UNIT, 'utf8')) ?? [];
  // systemd would run both without the empty line, and refuses that.
  expect(started(guide)).toEqual(['ExecStart=', `${plain} --moto`]);
  expect(guide).not.toMatch(/^npx innkeep-proxy/m);
});

it('the files for containers promise nothing that was tried, and start what the unit starts', async () => {
  const [docker, compose] = await Promise.all(
    ['Dockerfile', 'compose.yaml'].map((name) => readFile(join(dirname(UNIT), name), 'utf8')),
  );
  for (const text of [docker, compose]) expect(text).toMatch(/^# Not tried/);
  expect(docker).toMatch(/^FROM node:\d+-\w+-slim$/m);
  expect(docker).toMatch(/^USER node$/m);
  // Inside, it listens everywhere: what the machine passes on, it passes on to itself alone.
  expect(compose?.match(/^ +ports: .*$/gm)).toEqual(['    ports: ["127.0.0.1:8787:8787"]']);
  for (const right of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true'])
    expect(compose).toContain(right);
  const optionsIn = (text = ''): string[] => text.match(/--[a-z]+(?=[" ])/g) ?? [];
  const entry = /^ENTRYPOINT .*$/m.exec(docker ?? '')?.[0];
  const started = /^ExecStart=.*$/m.exec(await readFile(UNIT, 'utf8'))?.[0];
  expect(optionsIn(entry).sort()).toEqual(['--data', '--env', '--host']);
  expect(optionsIn(started).sort()).toEqual(['--data', '--env', '--port']);
});

it('the unit has the proxy alone signaled: its runtime would not wait for charges that nobody waits for', async () => {
  expect(await readFile(UNIT, 'utf8')).toMatch(/^KillMode=mixed$/m);
});
