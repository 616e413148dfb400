// Makes the golden folder of this version from what is built: `node tests/golden/make-golden.ts [<name>]`.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { serveSandbox } from '@innkeep/sandbox';
import { freePort } from '../../scripts/launch.ts';
import { until } from '../support/money-stack.ts';
import { type Answer, ask, type Call, kept } from './calls.ts';
import { type Golden, openGolden, pack } from './golden.ts';
import { environment } from './hotels.ts';
import { playAll } from './steps.ts';

/** The sessions are made some days ago, so that there is time to pass. */
const DAYS_MS = 2 * 24 * 60 * 60_000;

const name = process.argv[2] ?? '1.0.0';
const folder = join(import.meta.dirname, name);
mkdirSync(folder, { recursive: true });
const root = mkdtempSync(join(tmpdir(), 'innkeep-make-golden-'));
const sandbox = await serveSandbox({ port: await freePort(), sandbox: { slowAnswerMs: 60_000 } });
const upstream = { url: sandbox.url, goldenUrl: sandbox.url };
const [port, envFile, dataDir] = [await freePort(), join(root, 'proxy.env'), join(root, 'data')];
const publicUrl = `http://127.0.0.1:${port}`;
writeFileSync(envFile, environment(upstream, publicUrl));
let offsetMs = -DAYS_MS;
const proxy = await serveProxy({ port, envFile, dataDir, clock: { offsetMs }, onLine: () => undefined });

const calls: Record<string, Call> = {};
const made: Record<string, Answer> = {};
await playAll({
  proxyUrl: proxy.url,
  upstream,
  sandbox: sandbox.sandbox,
  async passSeconds(seconds) {
    offsetMs += seconds * 1_000;
    await proxy.moveClock(offsetMs);
  },
  async call(step, call, status = 200) {
    if (step in calls) throw new Error(`There are two steps “${step}”`);
    calls[step] = call;
    const answer = await ask(proxy.url, call);
    if (answer.status !== status) throw new Error(`${step}: ${answer.status} ${JSON.stringify(answer.body)}`);
    // Nothing is told apart by when it came yet.
    made[step] = kept(answer, Number.POSITIVE_INFINITY);
    return answer;
  },
});

function fieldOf(body: unknown, name: string): unknown {
  return (body as Record<string, unknown>)[name];
}

/** A call or an answer a line, so that a change of one is a change of one line. */
function toText(golden: Golden): string {
  const lines = Object.entries(golden).map(([field, value]) => {
    if (!['calls', 'answers', 'next'].includes(field)) return `${JSON.stringify(field)}: ${JSON.stringify(value)}`;
    const each = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`);
    return `${JSON.stringify(field)}: {\n${each.join(',\n')}\n}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** How far a feed goes once it stands still. */
async function length(path: string, as: Call['as']): Promise<number> {
  let last = -1;
  return until(
    async () => {
      const { body } = await ask(proxy.url, { as, method: 'GET', path });
      const { length } = (body as { data: unknown[] }).data;
      const isStill = length === last;
      last = length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isStill ? length : -1;
    },
    (count) => count >= 0,
  );
}
const events = {
  aurora: await length('/v1/events?limit=100', 'aurora'),
  platform: await length('/v1/platform/events?limit=100', 'platform'),
};
process.kill(proxy.pid, 'SIGKILL');
const madeAt = Date.now() + offsetMs;
await proxy.close();
await sandbox.close();

const archive = join(folder, 'data.tar.zst');
pack(dataDir, archive);
rmSync(root, { recursive: true, force: true });
const about: Golden = { madeAt, upstreamUrl: sandbox.url, publicUrl, events, calls, answers: {}, next: {} };
const opened = await openGolden(archive, about);
const answers = await opened.readAll();
const next = await opened.goOn();
await opened.close();
assert.deepEqual(opened.errors(), []);
for (const [step, { body }] of Object.entries(made)) {
  const { status, body: again } = answers[step] ?? { status: 0, body: {} };
  // Done already, such as the removal of a hotel; or ended since, by another client secret.
  if (status >= 400 || step.includes('second client secret')) continue;
  for (const field of ['id', 'clientSecret', 'url'] as const)
    assert.equal(fieldOf(again, field), fieldOf(body, field), step);
}
writeFileSync(join(folder, 'golden.json'), toText({ ...about, answers, next }));
console.log(`${archive}: ${statSync(archive).size} bytes, ${Object.keys(calls).length} calls, ${events.aurora} events`);
process.exit(0);
