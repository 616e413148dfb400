// How long a command takes to answer, installed, without a package manager in between: `pnpm bench cli`. The aim is half a second.
import { spawnSync } from 'node:child_process';
import type { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const BIN = fileURLToPath(new URL('../bin/innkeep.js', import.meta.url));
const RUNS = 15;
const COMMANDS = [['--version'], ['--help'], ['session', 'list'], ['events', 'list'], ['trigger'], ['dev', '--help']];

// In a thread of its own: this one waits for each command to end.
const answerer = new Worker(
  `(${serve.toString()})(require('node:http').createServer, (port) => require('node:worker_threads').parentPort.postMessage(port))`,
  { eval: true },
);
const port = await new Promise<number>((done) => answerer.once('message', done));
const env = { ...process.env, INNKEEP_ENDPOINT: `http://127.0.0.1:${port}`, INNKEEP_SECRET_KEY: 'sk_test_bench' };

const rows = COMMANDS.map((words) => {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`innkeep ${words.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - startedAt;
  }).sort((left, right) => left - right);
  const [median = 0, slowest = 0] = [times[Math.floor(RUNS / 2)], times.at(-1)];
  return { command: `innkeep ${words.join(' ')}`, 'median ms': Math.round(median), 'slowest ms': Math.round(slowest) };
});
console.table(rows);
await answerer.terminate();

/** An empty list, whatever is asked. */
function serve(create: typeof createServer, tell: (port: number) => void): void {
  const body = JSON.stringify({ object: 'list', data: [], nextCursor: null, nextAfter: 0 });
  const server = create((_, response) => response.setHeader('content-type', 'application/json').end(body));
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port));
}
