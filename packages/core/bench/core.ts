// What core costs beside doing the same by hand: `pnpm bench core`. Figures of one run on one machine; compare rows, not runs.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { Bench } from 'tinybench';
import { createClient } from '../src/client.ts';
import { decodeWindows1252 } from '../src/gateway/charset.ts';
import { readXml } from '../src/gateway/xml-reader.ts';
import { writeXml } from '../src/gateway/xml-writer.ts';
import { Money } from '../src/values/money.ts';

const ANSWER = {
  cardType: '4',
  cardNo: '424242......4242',
  serviceProvider: 'D',
  transactionID: 'T-2',
  returnCode: '0',
};

/** Prints how long each takes. */
async function compare(title: string, works: Readonly<Record<string, () => unknown>>): Promise<void> {
  const bench = new Bench({ time: 1_000 });
  for (const [name, work] of Object.entries(works)) bench.add(name, work);
  await bench.run();
  console.log(`\n${title}`);
  console.table(bench.table());
}

async function benchOperation(): Promise<void> {
  // In this process: its work is in both rows.
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWER)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hotel = { hotelID: '1', hotelIDType: 'PMS', user: 'web', timeZone: 'Europe/Vienna' };
  const client = createClient({
    baseUrl: origin,
    customerId: '4711',
    accessToken: async () => 'token',
    hotel,
    providers: { direct: 'D', hosted: 'H' },
    amountUnit: 'minor',
  });
  const amount = Money.parse('120.00', 'EUR');
  const { timeZone: _, ...where } = hotel;
  const what = { tokenNo: 'TK', amount: '12000', currency: 'EUR', serviceProvider: 'D', text: 'x' };
  const body = JSON.stringify({ ...what, ...where, datetime: '2026-06-01T12:00:00' });
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json', accept: 'application/json' };
  await compare('One pay over loopback', {
    'bare fetch': async () => (await fetch(`${origin}/V2/4711/pay`, { method: 'POST', headers, body })).json(),
    'client.pay': () => client.pay({ tokenNo: 'TK', amount, text: 'x' }),
  });
  server.close();
  server.closeAllConnections();
}

function start(code: string): void {
  spawnSync(process.execPath, ['--input-type=module', '--eval', code]);
}

/** Guests as a gateway would list them. */
function guests(count: number): { GUEST: { NAME: string; ROOM: string; TEXT: string }[] } {
  const guest = { NAME: 'Müller & Söhne', TEXT: 'arrives <late>, 5 € deposit' };
  return { GUEST: Array.from({ length: count }, (_, index) => ({ ...guest, ROOM: String(index) })) };
}

async function benchXml(): Promise<void> {
  const parser = new XMLParser({ parseTagValue: false, processEntities: { maxTotalExpansions: 1e7 } });
  const builder = new XMLBuilder({});
  for (const count of [10, 10_000]) {
    const members = guests(count);
    const text = decodeWindows1252(writeXml('SIHOT-Document', members));
    await compare(`XML of ${count} guests, ${Math.ceil(text.length / 1_024)} kB`, {
      'read: @innkeep/core, guards included': () => readXml(text),
      'read: fast-xml-parser': () => parser.parse(text),
      'write: @innkeep/core, ISO-8859-1 bytes': () => writeXml('SIHOT-Document', members),
      'write: fast-xml-parser, text': () => builder.build({ 'SIHOT-Document': members }),
    });
  }
}

await benchOperation();
const client = fileURLToPath(new URL('../dist/index.js', import.meta.url));
await compare('A new Node process', {
  'does nothing': () => start(''),
  'imports the client': () => start(`await import(${JSON.stringify(client)})`),
});
await benchXml();
