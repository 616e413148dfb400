/** A quick start as its reader sees it: the files to save, the commands to type, the page to open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOfMarkdown } from '../../scripts/check-snippets.ts';
import { ROOT } from '../../scripts/launch.ts';

export interface QuickStart {
  /** File name without its ending; also the name of its hotel and of its project's folder. */
  readonly name: string;
  /** Text by path, as the reader saves them. */
  readonly files: Readonly<Record<string, string>>;
  /** The command line that sets the hotel up. */
  readonly setUp: string;
  /** What is left running while the guest pays, one script per terminal. */
  readonly terminals: readonly string[];
  /** The booking page. */
  readonly url: string;
}

/** Addresses that every quick start uses, and what stands for them in a test. */
export interface Addresses {
  readonly sandbox: string;
  readonly proxy: string;
  readonly site: string;
  /** The site's own server, where the site is served by a development server. */
  readonly server: string;
}

const DOCUMENTED: Addresses = {
  sandbox: 'http://127.0.0.1:8790',
  proxy: 'http://127.0.0.1:8787',
  site: 'http://127.0.0.1:3000',
  server: 'http://127.0.0.1:3001',
};

/** Reads a quick start from its Markdown. Fails with what is missing. */
export function readQuickStart(name: string, addresses: Addresses): QuickStart {
  const file = `docs/quick-starts/${name}.md`;
  const text = here(readFileSync(join(ROOT, file), 'utf8'), addresses);
  const blocks = blocksOfMarkdown(file, text);
  const lines = text.split('\n');
  const payHeading = lines.findIndex((line) => /^## \d+\. .*\bpay$/i.test(line)) + 1;
  const nextHeading = lines.findIndex((line, at) => at > payHeading && line.startsWith('## ')) + 1;
  const scripts = blocks.filter(({ language }) => language === 'sh');
  const setUp = scripts.find(({ code }) => code.includes('innkeep hotel add'))?.code;
  const terminals = scripts.filter(({ line }) => line > payHeading && line < nextHeading).map(({ code }) => code);
  const url = /<(http:\/\/127\.0\.0\.1:\d+\/bookings\/[\w-]+)>/.exec(text)?.[1];
  if (setUp === undefined) throw new Error(`${file} does not say how to set a hotel up`);
  if (url === undefined) throw new Error(`${file} does not say which page to open`);
  if (terminals.length === 0) throw new Error(`${file} has no command under its heading “Pay”`);
  return { name, files: { ...filesOf(blocks), ...copiedFiles(text) }, setUp, terminals, url };
}

function filesOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  return Object.fromEntries(blocks.flatMap(({ title, code }) => (title === undefined ? [] : [[title, `${code}\n`]])));
}

/** The files of the guides that the page says to copy. */
function copiedFiles(text: string): Readonly<Record<string, string>> {
  const [, path] = /Copy \[`[^`]+`\]\(\.\.\/([\w/.-]+\.md)#/.exec(text) ?? [];
  if (path === undefined) return {};
  return filesOf(blocksOfMarkdown(`docs/${path}`, readFileSync(join(ROOT, 'docs', path), 'utf8')));
}

/** The text with this test's addresses in it. The site's two ports also stand alone. */
function here(text: string, addresses: Addresses): string {
  return text
    .replaceAll(DOCUMENTED.sandbox, addresses.sandbox)
    .replaceAll(DOCUMENTED.proxy, addresses.proxy)
    .replaceAll(/\b3000\b/g, new URL(addresses.site).port)
    .replaceAll(/\b3001\b/g, new URL(addresses.server).port);
}
