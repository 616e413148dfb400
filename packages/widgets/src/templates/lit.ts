/** Lit's templates, importable anywhere. The order of these imports matters: modules are run in it. */
// biome-ignore assist/source/organizeImports: the document comes before Lit.
import { removeServerDocument } from './server-document.ts';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';

removeServerDocument();

export { html, nothing, render, type TemplateResult };
