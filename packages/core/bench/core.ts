// What core costs over doing the same by hand: `pnpm bench core`, or `node --expose-gc packages/core/bench/core.ts`.
// Figures of one run on one machine; compare columns, not runs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { createClient } from '../src/client.ts';
import { decodeWindows1252 } from '../src/gateway/charset.ts';
import { readXml } from '../src/gateway/xml-reader.ts';
import { writeXml } from '../src/gateway/xml-writer.ts';
import { Money } from '../src/values/money.ts';

interface Figures {
  microseconds: number;
  /** Allocated on the heap, in bytes; undefined without --expose-gc. */
  bytes: number | undefined;
}

interface Contestant {
  name: string;
  work: () => unknown;
  times: number[];
  allocations: number[];
}

const collectGarbage = (globalThis as { gc?: () => void }).gc;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Medians over rounds. Contestants take turns, so that a busy moment hits all of them; allocations are from rounds that no
 * collection interrupted, which are those that grew.
 */
async function compare(
  works: Readonly<Record<string, () => unknown>>,
  { rounds = 15, each = 40 } = {},
): Promise<Record<string, Figures>> {
  const contestants = Object.entries(works).map(
    ([name, work]): Contestant => ({ name, work, times: [], allocations: [] }),
  );
  for (const { work } of contestants) for (let index = 0; index < each; index++) await work();
  for (let round = 0; round < rounds; round++) {
    for (const { work, times, allocations } of contestants) {
      collectGarbage?.();
      const heapBefore = process.memoryUsage().heapUsed;
      const startedAt = performance.now();
      for (let index = 0; index < each; index++) await work();
      times.push(((performance.now() - startedAt) * 1000) / each);
      const grown = (process.memoryUsage().heapUsed - heapBefore) / each;
      if (grown > 0) allocations.push(grown);
    }
  }
  return Object.fromEntries(
    contestants.map(({ name, times, allocations }) => [
      name,
      {
        microseconds: median(times),
        bytes: collectGarbage === undefined || allocations.length === 0 ? undefined : median(allocations),
      },
    ]),
  );
}

/** Prints every contestant, each against the first. */
function report(results: Readonly<Record<string, Figures>>): void {
  const [base] = Object.values(results);
  for (const [name, figures] of Object.entries(results)) print(name, figures, figures === base ? undefined : base);
}

function print(name: string, { microseconds, bytes }: Figures, base?: Figures): void {
  const time = `${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs`.padStart(12);
  const memory = (bytes === undefined ? '–' : `${(bytes / 1024).toFixed(1)} KiB`).padStart(13);
  const ratio = base === undefined ? '' : `  × ${(microseconds / base.microseconds).toFixed(2)}`;
  console.log(`  ${name.padEnd(34)}${time}${memory}${ratio}`);
}

const ANSWER = JSON.stringify({
  cardType: '4',
  cardNo: '424242......4242',
  cardTypeCode: 'VISA',
  serviceProvider: 'D',
  transactionID: 'T-2',
  returnCode: '0',
});

/** A server in a thread of its own, so that its allocations are not counted. */
async function startServer(): Promise<{ origin: string; stop: () => Promise<number> }> {
  const code = `
    const { createServer } = require('node:http');
    const { parentPort, workerData } = require('node:worker_threads');
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(workerData.answer);
      });
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true, workerData: { answer: ANSWER } });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { origin: `http://127.0.0.1:${port}`, stop: () => worker.terminate() };
}

async function benchOperation(): Promise<void> {
  console.log('\nOne pay over loopback, and the same bytes by hand');
  const { origin, stop } = await startServer();
  const client = createClient({
    baseUrl: origin,
    customerId: '4711',
    accessToken: async () => 'token',
    hotel: { hotelID: '1', hotelIDType: 'PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'D', hosted: 'H' },
    amountUnit: 'minor',
  });
  const amount = Money.parse('120.00', 'EUR');
  const body = JSON.stringify({
    tokenNo: 'TK',
    amount: '12000',
    currency: 'EUR',
    hotelID: '1',
    hotelIDType: 'PMS',
    user: 'web',
    datetime: '2026-06-01T12:00:00',
    serviceProvider: 'D',
    text: 'x',
  });
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json', accept: 'application/json' };
  report(
    await compare({
      'bare fetch': async () => {
        const response = await fetch(`${origin}/V2/4711/pay`, { method: 'POST', headers, body });
        return response.json();
      },
      'client.pay': () => client.pay({ tokenNo: 'TK', amount, text: 'x' }),
    }),
  );
  await stop();
}

function benchColdStart(): void {
  console.log('\nCold start: a new Node process that …');
  const built = fileURLToPath(new URL('../dist/index.js', import.meta.url));
  const start = (code: string): Figures => {
    const times = Array.from({ length: 15 }, () => {
      const startedAt = performance.now();
      spawnSync(process.execPath, ['--input-type=module', '--eval', code]);
      return (performance.now() - startedAt) * 1000;
    });
    return { microseconds: median(times), bytes: undefined };
  };
  report({ 'does nothing': start(''), 'imports the client': start(`await import(${JSON.stringify(built)})`) });
}

/** A document of about so many bytes, as a gateway would send a list of guests. */
function guests(bytes: number): { GUEST: { NAME: string; ROOM: string; TEXT: string }[] } {
  const guest = { NAME: 'Müller & Söhne', ROOM: '101', TEXT: 'arrives <late>, 5 € deposit' };
  const size = writeXml('R', { GUEST: [guest] }).length - 60;
  return {
    GUEST: Array.from({ length: Math.max(1, Math.round(bytes / size)) }, (_, index) => ({
      ...guest,
      ROOM: String(index),
    })),
  };
}

async function benchXml(): Promise<void> {
  const parser = new XMLParser({
    parseTagValue: false,
    maxNestedTags: 64,
    processEntities: { maxTotalExpansions: 1e7 },
  });
  const builder = new XMLBuilder({});
  for (const [label, bytes, each] of [
    ['1 kB', 1024, 200],
    ['100 kB', 102_400, 5],
    ['1 MB', 1_048_576, 1],
  ] as const) {
    const members = guests(bytes);
    const text = decodeWindows1252(writeXml('SIHOT-Document', members));
    const options = { each, rounds: 9 };

    console.log(`\nReading ${label} of XML`);
    const read = {
      '@innkeep/core (guards included)': () => readXml(text),
      'fast-xml-parser': () => parser.parse(text),
      '@xmldom/xmldom': () => new DOMParser().parseFromString(text, 'text/xml'),
    };
    report(await compare(read, options));

    console.log(`\nWriting ${label} of XML`);
    const tree = new DOMParser().parseFromString(text, 'text/xml');
    const write = {
      '@innkeep/core (ISO-8859-1 bytes)': () => writeXml('SIHOT-Document', members),
      'fast-xml-parser (text)': () => builder.build({ 'SIHOT-Document': members }),
      '@xmldom/xmldom (text)': () => new XMLSerializer().serializeToString(tree),
    };
    report(await compare(write, options));
  }
}

console.log(
  `Node ${process.version}; median time and heap per call${collectGarbage ? '' : ' (no heap figures without --expose-gc)'}`,
);
await benchOperation();
benchColdStart();
await benchXml();
