/** TSDoc as Markdown: links resolved, tags sorted out. */
import { type Comment, type CommentDisplayPart, Reflection } from 'typedoc';
import { code, codeLink } from './markdown.ts';
import type { FindEntry } from './type-text.ts';

/** The text of a comment, without its tags. */
export function summaryText(comment: Comment | undefined, find: FindEntry): string {
  return comment === undefined ? '' : partsText(comment.summary, find);
}

/** The texts of a tag, one for each time it is there. */
export function tagTexts(comment: Comment | undefined, tag: `@${string}`, find: FindEntry): readonly string[] {
  return (comment?.blockTags ?? [])
    .filter((each) => each.tag === tag)
    .map((each) => [each.name, partsText(each.content, find)].filter(Boolean).join(' '));
}

/** The value after `@default`, as code. */
export function defaultText(comment: Comment | undefined, find: FindEntry): string {
  const [value] = tagTexts(comment, '@default', find);
  if (value === undefined) return '';
  // TypeDoc makes a code block of it; words that are no value were written without one.
  const inner = /^```\w*\n([\s\S]*?)\n?```$/.exec(value)?.[1] ?? value;
  return `Default: ${isValue(inner) ? code(inner) : inner}.`;
}

/** `'strict'`, `30_000` or `() => new Date()`, and not a sentence. */
function isValue(text: string): boolean {
  return (
    /^(['"[{(]|-?\d|true$|false$|null$|undefined$|\w+(\.\w+)+$)/.test(text) &&
    !/, |; /.test(text.replace(/^'[^']*'/, ''))
  );
}

function partsText(parts: readonly CommentDisplayPart[], find: FindEntry): string {
  return parts
    .map((part) => {
      if (part.kind !== 'inline-tag') return part.text;
      const { target } = part;
      if (target instanceof Reflection) {
        const href = find(target);
        if (href !== undefined) return codeLink(part.text, href);
      }
      return typeof target === 'string' ? `[${part.text}](${target})` : code(part.text);
    })
    .join('')
    .trim();
}
