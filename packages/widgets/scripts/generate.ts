/** Makes what is published beside the manifest and follows from it: typings of the frameworks, and editor data. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { generateJetBrainsWebTypes } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';
import { ELEMENTS, MANIFEST } from './manifest.ts';
import { typings } from './typings.ts';

const TYPES = new URL('../dist/types/', import.meta.url);

mkdirSync(TYPES, { recursive: true });
for (const [framework, text] of Object.entries(typings(ELEMENTS))) {
  writeFileSync(new URL(`${framework}.d.ts`, TYPES), text);
  // A side-effect import of the typings must find a module at run time too.
  writeFileSync(new URL(`${framework}.js`, TYPES), 'export {};\n');
}

const options = { outdir: 'dist/editor', descriptionSrc: 'description', hideCssPropertiesDocs: true, hideLogs: true };
generateVsCodeCustomElementData(MANIFEST, { ...options, htmlFileName: 'html-custom-data.json', cssFileName: null });
generateJetBrainsWebTypes(MANIFEST, { ...options, packageJson: false });
