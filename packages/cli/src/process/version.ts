import { readFileSync } from 'node:fs';

// Both src/ and dist/ are beside package.json.
const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** Version of this package. */
export const VERSION: string = (JSON.parse(manifest) as { readonly version: string }).version;
