/**
 * Makes `dist/assets`, and `dist/assets-moto` for the MOTO build: the API's description from the routes' schemas, the
 * pages' texts and their style sheet; and the configuration of the self-hosting guide. Part of the build.
 */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOf, toWorkerdConfig } from '../src/runtime/serve-workerd-config.ts';
import { MESSAGES } from '../src/sessions/messages.ts';
import { VERSION } from '../src/telemetry/version.ts';
import { readFieldTexts } from './read-field-texts.ts';

readFieldTexts();
const { motoOpenApiDocument, openApiDocument, platformOpenApiDocument } = await import('../openapi/document.ts');

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/assets');

mkdirSync(join(target, 'messages'), { recursive: true });
copyFileSync(join(root, 'assets/pages.css'), join(target, 'pages.css'));
for (const [language, messages] of Object.entries(MESSAGES)) {
  writeFileSync(join(target, 'messages', `${language}.json`), JSON.stringify(messages));
}
writeFileSync(join(target, 'openapi-platform.json'), JSON.stringify(platformOpenApiDocument(VERSION)));
cpSync(target, `${target}-moto`, { recursive: true });
writeFileSync(join(target, 'openapi.json'), JSON.stringify(openApiDocument(VERSION)));
writeFileSync(join(`${target}-moto`, 'openapi.json'), JSON.stringify(motoOpenApiDocument(VERSION)));

const guide = `# The proxy on your own machine: the bundle that Cloudflare would run, under \`workerd serve\`. Made by the build.
# The guide is docs/guides/self-hosting.md. Give each hotel a line like that of PROPERTY_AURORA.

`;
const config = toWorkerdConfig({
  port: 8787,
  modules: modulesOf(join(root, 'dist/bundle/worker.js'), join(root, 'dist/bundle')),
  storageDir: 'data',
  assetsDir: 'assets',
  names: [
    'PUBLIC_URL',
    'CLIENT_ADDRESS_HEADER',
    'SEALING_KEYS',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_SERVICE_NAME',
    'OTEL_TRACES_SAMPLER_ARG',
    'LEDGER_MAX_BYTES',
    'PROPERTY_AURORA',
  ],
  allowsPrivateNetwork: false,
});
writeFileSync(join(root, 'self-hosting/innkeep.capnp'), `${guide}${config}`);
