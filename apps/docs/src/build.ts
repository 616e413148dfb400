// Builds the site into dist: collects the repository's Markdown and the pages made from source, lets the generator turn them into
// HTML, then finishes that.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from '../reference/all-pages.ts';
import { SITE_BASE, twinAddress } from './addresses.ts';
import { collectPages } from './collect-pages.ts';
import { finishHtml, STYLE_SHEET } from './finish-html.ts';
import { SECTIONS } from './page-table.ts';
import { STAGED, stage } from './stage.ts';
import { llmsFullText, llmsText, twin } from './twins.ts';

const HERE = join(import.meta.dirname, '..');
const ROOT = join(HERE, '../..');
const DIST = join(HERE, 'dist');

const pages = collectPages(ROOT, SECTIONS, await referencePages());
stage(ROOT, join(HERE, STAGED), pages);

const { status, stdout } = spawnSync('astro', ['build'], {
  cwd: HERE,
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) {
  process.stderr.write(stdout ?? '');
  process.exit(status ?? 1);
}

const files = globSync('**/*.html', { cwd: DIST });
const finished = finishHtml(files.map((file) => readFileSync(join(DIST, file), 'utf8')));
for (const [index, file] of files.entries()) writeFileSync(join(DIST, file), finished.pages[index] ?? '');
write(STYLE_SHEET, finished.css);
write(`${SITE_BASE}csp.txt`, `${finished.policy}\n`);
for (const page of pages) write(twinAddress(page.path), twin(page, pages));
write(`${SITE_BASE}llms.txt`, llmsText(pages));
write(`${SITE_BASE}llms-full.txt`, llmsFullText(pages));

/** Writes what the site serves at an address. */
function write(address: string, text: string): void {
  const file = join(DIST, address.slice(SITE_BASE.length));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
