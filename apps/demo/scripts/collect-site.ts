/**
 * Prevents: a demo that finds its files on one host and not on the other. What the site sends unchanged — this
 * package's own files and the script-tag builds of the elements — is collected in `dist/site`, which Node reads as a folder. Workers
 * get it as static assets, together with the documentation: build-workers.ts.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = join(import.meta.dirname, '..');
const SITE = join(PACKAGE, 'dist/site');

rmSync(SITE, { recursive: true, force: true });
mkdirSync(SITE, { recursive: true });
collect(join(PACKAGE, 'public'), 'public');
collect(fileURLToPath(new URL('./', import.meta.resolve('@innkeep/widgets/cdn/widgets.js'))), 'widgets');
collect(fileURLToPath(new URL('./', import.meta.resolve('@innkeep/desk/cdn/desk.js'))), 'payments-desk');

function collect(from: string, name: string): void {
  cpSync(from, join(SITE, name), { recursive: true });
}
