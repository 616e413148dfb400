import { readFileSync } from 'node:fs';

/** Version of this package. */
export const VERSION: string = readVersion();

function readVersion(): string {
  // Both src/ and dist/ stand beside package.json.
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
