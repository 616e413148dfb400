/**
 * Makes `dist/assets`, and `dist/assets-moto` for the MOTO build: the API's description from the routes' schemas, the
 * pages' texts and their style sheet. Part of the build.
 */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { motoOpenApiDocument, openApiDocument, platformOpenApiDocument } from '../openapi/document.ts';
import { MESSAGES } from '../src/pages/messages.ts';
import { VERSION } from '../src/version.ts';

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
