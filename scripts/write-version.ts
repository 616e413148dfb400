// Part of `pnpm version-packages`: the proxy says its version at /healthz, in a bundle that has no package.json beside it.
import { readFileSync, writeFileSync } from 'node:fs';

const PROXY = new URL('../packages/edge-proxy/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', PROXY), 'utf8')) as { version: string };
const source = new URL('src/telemetry/version.ts', PROXY);
writeFileSync(source, readFileSync(source, 'utf8').replace(/'[^']*';$/m, `'${version}';`));
