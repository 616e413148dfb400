/**
 * Prevents: sample code in the wire panel that is not what the demo runs. Takes the regions marked `// #region NAME` out of the
 * real sources; one that a page wants and no source has fails the build.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '..');
const TARGET = join(PACKAGE, 'dist/site/public/code.json');
const REGION = /^ *\/\/ #region ([a-z-]+)\n(.*?)\n *\/\/ #endregion$/gms;

const ORDER = { region: 'create-session', title: 'The server orders the amount at the proxy' };

/** What each page shows. The names of the pages are those in src/wire-panel/code-samples.ts. */
const PAGES = {
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

const found = new Map<string, { file: string; line: number; code: string }>();
for (const name of globSync('src/**/*.ts', { cwd: PACKAGE })) {
  const source = readFileSync(join(PACKAGE, name), 'utf8');
  for (const { index, 1: region = '', 2: code = '' } of source.matchAll(REGION)) {
    const margin = Math.min(...code.split('\n').flatMap((text) => (text === '' ? [] : text.search(/\S/))));
    found.set(region, {
      file: `apps/demo/${name}`,
      line: source.slice(0, index).split('\n').length + 1,
      code: code.replaceAll(new RegExp(`^ {${margin}}`, 'gm'), ''),
    });
  }
}

const samples = Object.entries(PAGES).map(([page, wanted]) => [
  page,
  wanted.map(({ region, title }) => {
    const code = found.get(region);
    if (code === undefined) throw new Error(`No source has a region "${region}".`);
    return { title, ...code };
  }),
]);
writeFileSync(TARGET, JSON.stringify(Object.fromEntries(samples)));
