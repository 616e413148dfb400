/** Small pieces of GitHub-flavored Markdown, escaped where they have to be. */
import GithubSlugger, { slug } from 'github-slugger';

/** Code in running text. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll(/\s+/g, ' ')}${space}${fence}`;
}

/** A block of code to copy. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** A link whose text is code. */
export function codeLink(text: string, href: string): string {
  return `[${code(text)}](${href})`;
}

/** A table; empty without rows. Cells are Markdown of one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(toCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Blocks with a blank line between them; what is empty is left out. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
}

/** Text that links can lead to, in a table or a list. */
export function anchored(id: string, text: string): string {
  return `<a id="${id}"></a>${text}`;
}

/** A heading; its anchor is {@link anchorOf} of the text. */
export function heading(level: 2 | 3 | 4, text: string): string {
  return `${'#'.repeat(level)} ${text}`;
}

/** The anchor of a heading, as GitHub and the site make it. */
export function anchorOf(text: string): string {
  return slug(text.replaceAll('`', ''));
}

/** Everything on a page that a link can lead to: headings, repeated ones numbered, and what is {@link anchored}. */
export function pageAnchors(markdown: string): readonly string[] {
  const slugger = new GithubSlugger();
  const text = withoutCodeBlocks(markdown);
  const headings = [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) =>
    slugger.slug(title.replaceAll('`', '')),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

/** The text without its fenced blocks. */
function withoutCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** A link to a page of the reference, or to a heading on it, as all pages write it: a file below `docs/`. */
export function address(path: string, anchor?: string): string {
  return `${path}.md${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  const line =
    text
      .split(/\n\s*\n/)[0]
      ?.replaceAll(/\s+/g, ' ')
      .trim() ?? '';
  return /^.*?\.(?= [A-Z@`<„“[]|$)/.exec(line)?.[0] ?? line;
}

/** Text without code marks and links. */
export function toPlainText(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function toCell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');
}
