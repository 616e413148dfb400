/** Stands in for `lit.ts` in the script-tag files, which no server imports. */
export { html, nothing, render, type TemplateResult } from 'lit/html.js';
