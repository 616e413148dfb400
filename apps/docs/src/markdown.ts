import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';

/** What a page of Markdown says about itself. */
export interface Document {
  /** Text of the first heading, without markup. */
  readonly title: string;
  /** The first heading as written, markup included. */
  readonly heading: string;
  /** The first sentences of the first paragraph, without markup; empty when there is none. */
  readonly description: string;
  /** The page without its first heading. */
  readonly body: string;
}

/** What search engines show of a description, in characters. */
const DESCRIPTION_LENGTH = 200;

/** Reads a page as GitHub does. */
function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/**
 * Splits a page that begins with `# Title`.
 *
 * @throws Error when it begins otherwise; `file` names the page in the message.
 */
export function readDocument(file: string, text: string): Document {
  const [heading, ...others] = parseMarkdown(text).children;
  if (heading?.type !== 'heading' || heading.depth !== 1)
    throw new Error(`${file}: a page begins with its title, “# Title”, and with nothing before it.`);
  const paragraph = others
    .filter(({ type }) => type === 'paragraph')
    .map((each) => textOf(each, { includeHtml: false }).replaceAll(/\s+/g, ' ').trim())
    .find((each) => each !== '' && !each.startsWith('Status:'));
  return {
    title: textOf(heading),
    heading: text.slice(heading.children[0]?.position?.start.offset, heading.children.at(-1)?.position?.end.offset),
    description: firstSentences(paragraph ?? ''),
    body: text.slice(heading.position?.end.offset).trim(),
  };
}

/** As many whole sentences as a search result shows; at least one. */
function firstSentences(text: string): string {
  const sentences = text.match(/.+?(?:[.!?:](?= [A-Z\p{Lu}"“]|$)|$)/gu) ?? [];
  let length = 0;
  const kept = sentences.filter((sentence, index) => {
    length += sentence.length;
    return index === 0 || length <= DESCRIPTION_LENGTH;
  });
  return kept.join('').trim();
}

/** Where a link or a picture leads, as written. */
export interface Link {
  readonly kind: 'link' | 'image';
  readonly target: string;
  /** Its text, or the words that stand in for a picture. */
  readonly text: string;
  /** True when all of its text is set as code. */
  readonly isCode: boolean;
}

/** What becomes of a link: another target, or no link at all. */
export type LinkChange = { readonly target: string } | { readonly markdown: string } | undefined;

/**
 * Applies `change` to every link and picture of a page, HTML pictures included. What is no link stays byte for byte.
 *
 * @throws Error when a target is written in a way that cannot be replaced (with character references, say).
 */
export function changeLinks(text: string, change: (link: Link) => LinkChange): string {
  const edits: Edit[] = [];
  visit(parseMarkdown(text), (node) => {
    for (const { link, start, end } of linksOf(node, text)) {
      const changed = change(link);
      if (changed === undefined) continue;
      if ('markdown' in changed) {
        edits.push({ start, end, text: changed.markdown });
        continue;
      }
      const at = text.lastIndexOf(link.target, end);
      if (at < start) throw new Error(`${text.slice(start, end)}: write the target plainly`);
      edits.push({ start: at, end: at + link.target.length, text: changed.target });
    }
  });
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

/** A stretch of text and what takes its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The links that a node is, or that are written in it, with the stretch of text each takes. */
function linksOf(
  node: Nodes,
  text: string,
): readonly { readonly link: Link; readonly start: number; readonly end: number }[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  switch (node.type) {
    case 'link': {
      const isCode = node.children.length === 1 && node.children[0]?.type === 'inlineCode';
      return [{ link: { kind: 'link', target: node.url, text: textOf(node), isCode }, start, end }];
    }
    case 'image':
      return [{ link: { kind: 'image', target: node.url, text: node.alt ?? '', isCode: false }, start, end }];
    case 'definition':
      return [{ link: { kind: 'link', target: node.url, text: node.identifier, isCode: false }, start, end }];
    case 'html':
      return [...text.slice(start, end).matchAll(/<(?:img|source)\b[^>]*?\bsrc(?:set)?="([^"]+)"/g)].map((match) => ({
        link: { kind: 'image', target: match[1] ?? '', text: '', isCode: false },
        start: start + match.index,
        end: start + match.index + match[0].length,
      }));
    default:
      return [];
  }
}

function visit(node: Nodes, look: (node: Nodes) => void): void {
  look(node);
  if ('children' in node) for (const child of node.children) visit(child, look);
}
