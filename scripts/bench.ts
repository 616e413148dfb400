// `pnpm bench [texts|cli|core|proxy|pending|ledger|soak|storm|hotels|widgets] [--options of each]`: measures; never part of the tests, since a busy machine would fail them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, ROOT } from './launch.ts';

const BENCHES: Readonly<Record<string, string>> = {
  texts: 'scripts/bench-texts.ts',
  cli: 'packages/cli/bench/cli.ts',
  core: 'packages/core/bench/core.ts',
  proxy: 'packages/edge-proxy/bench/proxy.ts',
  pending: 'packages/edge-proxy/bench/pending.ts',
  ledger: 'packages/edge-proxy/bench/ledger.ts',
  soak: 'packages/edge-proxy/bench/soak.ts',
  storm: 'packages/edge-proxy/bench/storm.ts',
  hotels: 'packages/edge-proxy/bench/hotels.ts',
  widgets: 'packages/widgets/bench/widgets.ts',
};

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const wanted = given.filter((argument) => !argument.startsWith('-'));
const unknown = wanted.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". Choose from: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}

build();
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  const file = join(ROOT, BENCHES[name] ?? '');
  if (!existsSync(file)) continue;
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', file, ...options], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
