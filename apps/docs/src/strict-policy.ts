import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** A tag with its attributes, or a script with its text. Markup inside attribute values does not count as tags. */
const TAG =
  /<script((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*>([\s\S]*?)<\/script>|<[a-z][\w-]*(?:\s+[^\s=>"']+(?:="[^"]*")?)*\s*\/?>/g;

/**
 * Makes the built pages fit for a Content Security Policy without `unsafe-inline`. Astro's own policy knows neither Starlight's inline
 * scripts nor style attributes, so style attributes become classes of one style sheet and every inline script is named by its hash.
 * Each page carries the policy; `csp.txt` has it for the servers.
 */
export function strictPolicy(base: string): AstroIntegration {
  return {
    name: 'strict-policy',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const folder = fileURLToPath(dir);
        const files = globSync('**/*.html', { cwd: folder }).map((file) => join(folder, file));
        const finished = finishPages(
          files.map((file) => readFileSync(file, 'utf8')),
          `${base}styles.css`,
        );
        for (const [at, file] of files.entries()) writeFileSync(file, finished.pages[at] ?? '');
        writeFileSync(join(folder, 'styles.css'), finished.css);
        writeFileSync(join(folder, 'csp.txt'), `${finished.policy}; frame-ancestors 'none'\n`);
      },
    },
  };
}

/** Finished pages, the style sheet that their style attributes became, and the policy of all of them. */
export interface Finished {
  readonly pages: readonly string[];
  readonly css: string;
  readonly policy: string;
}

/** Finishes pages; `styles` is the address that the style sheet will have. */
export function finishPages(texts: readonly string[], styles: string): Finished {
  const classes = new Map<string, string>();
  const hashes = new Set<string>();
  const pages = texts.map((text) =>
    text.replaceAll(TAG, (tag, attributes: string | undefined, script: string | undefined) => {
      if (script === undefined || attributes === undefined) return withoutStyle(withoutPrompts(tag), classes);
      if (!/\ssrc=/.test(attributes)) hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      return tag;
    }),
  );
  const policy = [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...[...hashes].sort()].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const head = `<meta http-equiv="content-security-policy" content="${policy}"><link rel="stylesheet" href="${styles}">`;
  return {
    pages: pages.map((text) => text.replace(/<meta charset="utf-8"\s*\/?>/i, (charset) => charset + head)),
    css: `@layer attributes{${[...classes].map(([style, name]) => `.${name}{${style}}`).join('\n')}}\n`,
    policy,
  };
}

/** Of a terminal's lines, the button copies the ones that were typed. Its generator separates lines by a control character. */
function withoutPrompts(tag: string): string {
  return tag.replace(/ data-code="(\$ [^"]*)"/, (_, code: string) => {
    const typed = code.split('\x7f').filter((line) => line.startsWith('$ '));
    return ` data-code="${typed.map((line) => line.slice(2)).join('\x7f')}"`;
  });
}

function withoutStyle(tag: string, classes: Map<string, string>): string {
  // Without the attribute, and without JavaScript, the reader's system decides between light and dark.
  if (tag.startsWith('<html ')) return tag.replace(/ data-theme="[^"]*"/, '');
  if (tag.startsWith('<style')) throw new Error('A page has an inline style sheet; the policy forbids it.');
  const [attribute, style] = / style="([^"]*)"/.exec(tag) ?? [];
  if (attribute === undefined || style === undefined) return tag;
  const name = classes.get(style) ?? `style-${classes.size}`;
  classes.set(style, name);
  const rest = tag.replace(attribute, '');
  return / class="/.test(rest)
    ? rest.replace(/ class="/, ` class="${name} `)
    : rest.replace(/^<[\w-]+/, `$& class="${name}"`);
}
