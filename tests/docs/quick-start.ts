/** A quick start as its reader sees it: the files to save, the commands to type, the page to open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOfMarkdown } from '../../scripts/check-snippets.ts';
import { ROOT } from '../../scripts/launch.ts';

export interface QuickStart {
  /** File name without its ending; also the name of its project's folder. */
  readonly name: string;
  /** Text by path, as the reader saves them. */
  readonly files: Readonly<Record<string, string>>;
  /** The script that starts the site and its hotel. */
  readonly start: string;
  /** Of the site. */
  readonly port: number;
  /** The booking page. */
  readonly url: string;
}

/** Reads a quick start from its Markdown, with another port in place of the documented one. Fails with what is missing. */
export function readQuickStart(name: string, port: number): QuickStart {
  const file = `docs/quick-starts/${name}.md`;
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\b3000\b/g, String(port));
  const blocks = blocksOfMarkdown(file, text);
  const lines = text.split('\n');
  const payHeading = lines.findIndex((line) => /^## \d+\. Pay$/.test(line)) + 1;
  const start = blocks.find(({ language, line }) => language === 'sh' && line > payHeading)?.code;
  const url = /<(http:\/\/127\.0\.0\.1:\d+\/bookings\/[\w-]+)>/.exec(text)?.[1];
  if (url === undefined) throw new Error(`${file} does not say which page to open`);
  if (payHeading === 0 || start === undefined) throw new Error(`${file} has no command under its heading “Pay”`);
  return { name, files: { ...filesOf(blocks), ...copiedFiles(text) }, start, port, url };
}

function filesOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  return Object.fromEntries(blocks.flatMap(({ title, code }) => (title === undefined ? [] : [[title, `${code}\n`]])));
}

/** The file for PHP, which the page says to copy. */
function copiedFiles(text: string): Readonly<Record<string, string>> {
  if (!text.includes('Copy [`innkeep.php`](')) return {};
  return { 'innkeep.php': readFileSync(join(ROOT, 'packages/create-innkeep/templates/php/innkeep.php'), 'utf8') };
}
