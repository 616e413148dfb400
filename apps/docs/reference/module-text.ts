/** The comment at the top of a module. */

/** Its text as Markdown, without tags; empty when the file begins otherwise. */
export function moduleText(source: string): string {
  const comment = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const tags = lines.findIndex((line) => line.startsWith('@'));
  return lines
    .slice(0, tags === -1 ? lines.length : tags)
    .join('\n')
    .trim();
}
