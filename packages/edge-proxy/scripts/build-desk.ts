/** Adds the script of the desk's page to what the proxy serves. The last part of the build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = readFileSync(fileURLToPath(import.meta.resolve('@innkeep/desk/bundle/desk-page.js')), 'utf8');
for (const assets of ['assets', 'assets-moto']) {
  // Its map is not served.
  const text = script.replace(/\n\/\/# sourceMappingURL=.*/, '');
  writeFileSync(join(import.meta.dirname, '../dist', assets, 'desk.js'), text);
}
