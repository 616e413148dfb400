/**
 * Prevents: sample code in the wire panel that is not what the demo runs. Takes marked regions out of the
 * real sources; a region that a page wants and no source has, or the other way round, fails the build.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeRegion, codeRegions } from './code-regions.ts';

interface Wanted {
  readonly region: string;
  readonly title: string;
}

const PACKAGE = join(import.meta.dirname, '..');
const TARGET = join(PACKAGE, 'dist/site/public/code.json');

const ORDER: Wanted = { region: 'create-session', title: 'The server orders the amount at the proxy' };

/** What each page shows. The names of the pages are those in src/wire-panel/code-samples.ts. */
const PAGES: Readonly<Record<string, readonly Wanted[]>> = {
  home: [{ region: 'take-booking', title: 'The server takes the booking' }, ORDER],
  booking: [
    { region: 'pay-widget', title: 'The page: the widget, and what stands in for it without JavaScript' },
    ORDER,
    { region: 'content-security-policy', title: 'The policy that such a page needs' },
  ],
  confirmation: [
    { region: 'payment-status', title: 'The page: the receipt that the proxy has verified' },
    { region: 'show-confirmation', title: 'The server asks the proxy, and never believes the address' },
    { region: 'receive-webhook', title: 'The server hears of it, whether or not the guest comes back' },
  ],
  desk: [
    { region: 'charge-stored-card', title: 'The server charges a stored card' },
    { region: 'reverse-payment', title: 'The server gives money back' },
    { region: 'key-in-card', title: 'The server turns a keyed-in card into a token' },
  ],
};

const found = new Map<string, CodeRegion & { readonly file: string }>();
for (const name of readdirSync(join(PACKAGE, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
  const file = `apps/demo/src/${name}`;
  for (const region of regionsOf(file, readFileSync(join(PACKAGE, 'src', name), 'utf8'))) {
    if (found.has(region.name)) fail(`${file}: region "${region.name}" exists in ${found.get(region.name)?.file}, too`);
    found.set(region.name, { ...region, file });
  }
}

const wanted = Object.values(PAGES).flat();
for (const { region } of wanted) if (!found.has(region)) fail(`no source has a region "${region}"`);
for (const { name, file } of found.values()) {
  if (!wanted.some(({ region }) => region === name)) fail(`${file}: no page shows region "${name}"`);
}

const samples = Object.entries(PAGES).map(([page, rows]) => [
  page,
  rows.flatMap(({ region, title }) => {
    const taken = found.get(region);
    return taken === undefined ? [] : [{ title, file: taken.file, line: taken.line, code: taken.code }];
  }),
]);
writeFileSync(TARGET, JSON.stringify(Object.fromEntries(samples)));

function regionsOf(file: string, source: string): CodeRegion[] {
  try {
    return codeRegions(source);
  } catch (error) {
    return fail(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function fail(message: string): never {
  console.error(`collect-code: ${message}`);
  process.exit(1);
}
