/** Adds the script of the desk's page to what the proxy serves. The last part of the build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(import.meta.resolve('@innkeep/desk/bundle/desk-page.js'));
// Its map is not served.
const script = readFileSync(built, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, '');
for (const assets of ['assets', 'assets-moto']) {
  writeFileSync(join(import.meta.dirname, '../dist', assets, 'desk.js'), script);
}
