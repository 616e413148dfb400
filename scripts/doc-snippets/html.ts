// Prevents: an HTML example with a broken tag, an attribute that no element has, or a script that does not compile.
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import type { Block, Snippet } from '../doc-snippets.ts';
import { lineAt, type Problem } from '../report-problems.ts';
import { type ElementFacts, isPlaceholder } from './elements.ts';

/** What an HTML block has in it. */
export interface FoundHtml {
  readonly problems: readonly Problem[];
  /** Its inline scripts, for the compiler. */
  readonly scripts: readonly Snippet[];
  /** Its inline styles. */
  readonly styles: readonly Block[];
  /** Its import maps and other inline data. */
  readonly data: readonly Block[];
}

/** Elements whose end tag HTML lets authors leave out, and those that have none. */
const MAY_STAY_OPEN = new Set(
  ['html', 'head', 'body', 'p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'option'].concat([
    'area',
    'base',
    'br',
    'col',
    'embed',
    'hr',
    'img',
    'input',
    'link',
    'meta',
    'source',
    'track',
    'wbr',
  ]),
);

/** Parses the block as a browser would, and holds our elements in it against the manifest. */
export function readHtml(block: Block, elements: ElementFacts): FoundHtml {
  const problems: Problem[] = [];
  const scripts: Snippet[] = [];
  const styles: Block[] = [];
  const data: Block[] = [];
  const complain = (line: number, message: string): void =>
    void problems.push({ file: block.file, line: block.line + line - 1, message });
  const options = {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }: { code: string; startLine: number }) => {
      // An example may be an excerpt, and the text of a page may follow without a doctype.
      if (code !== 'missing-doctype') complain(startLine, `HTML: ${code}`);
    },
  };
  const isDocument = /^\s*<(?:!doctype|html|head|body)\b/i.test(block.code);
  const root = isDocument ? parse(block.code, options) : parseFragment(block.code, options);

  const closed = new Map<string, number>();
  const visit = (node: DefaultTreeAdapterTypes.Node, parent: string): void => {
    if ('tagName' in node) {
      const line = node.sourceCodeLocation?.startLine ?? 1;
      const location = node.sourceCodeLocation;
      if (location?.endTag) closed.set(node.tagName, (closed.get(node.tagName) ?? 0) + 1);
      if (location?.startTag && !location.endTag && !MAY_STAY_OPEN.has(node.tagName))
        complain(line, `HTML: <${node.tagName}> is never closed`);
      for (const message of problemsOfTag(node, parent, elements)) complain(line, message);
      const [child] = node.childNodes;
      if (child !== undefined && 'value' in child && child.value.trim() !== '') {
        const start = block.line + (child.sourceCodeLocation?.startLine ?? 1) - 1;
        const inner = { file: block.file, line: start, code: child.value };
        const type = node.attrs.find(({ name }) => name === 'type')?.value ?? '';
        if (node.tagName === 'style') styles.push({ ...inner, language: 'css' });
        else if (node.tagName === 'script' && /importmap|json/.test(type)) data.push({ ...inner, language: 'json' });
        else if (node.tagName === 'script') scripts.push({ ...inner, language: 'js' });
      }
    }
    const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
    for (const child of children) visit(child, 'tagName' in node ? node.tagName : parent);
  };
  visit(root, '');
  for (const [line, message] of problemsOfEnds(block.code, closed)) complain(line, message);
  return { problems, scripts, styles, data };
}

/** End tags that close nothing: the parser drops them without a word. `closed`: how many of each it has used. */
function problemsOfEnds(code: string, closed: ReadonlyMap<string, number>): readonly (readonly [number, string])[] {
  const markup = code.replaceAll(/<!--[\s\S]*?-->|(?<=<(script|style)\b[^>]*>)[\s\S]*?(?=<\/\1)/g, (text) =>
    text.replaceAll(/[^\n]/g, ' '),
  );
  const left = new Map(closed);
  return [...markup.matchAll(/<\/([a-z][\w-]*)/gi)].flatMap(({ index, 1: name = '' }) => {
    const count = left.get(name.toLowerCase()) ?? 0;
    left.set(name.toLowerCase(), count - 1);
    return count > 0 ? [] : [[lineAt(code, index), `HTML: a </${name}> closes nothing`] as const];
  });
}

function problemsOfTag(
  { tagName, attrs }: DefaultTreeAdapterTypes.Element,
  parent: string,
  elements: ElementFacts,
): readonly string[] {
  const slot = attrs.find(({ name }) => name === 'slot')?.value;
  const slots = elements.get(parent)?.slots;
  const wrongSlot =
    slot !== undefined && slots !== undefined && !slots.includes(slot) ? [`<${parent}> has no slot “${slot}”`] : [];
  if (!tagName.includes('-')) return wrongSlot;
  const element = elements.get(tagName);
  if (element === undefined) return [...wrongSlot, `there is no element <${tagName}>`];
  return [
    ...wrongSlot,
    ...attrs.flatMap(({ name, value }) => {
      if (/^(?:id|class|lang|dir|slot|hidden|title|data-[\w-]+|aria-[\w-]+)$/.test(name)) return [];
      const values = element.attributes.get(name);
      if (values === undefined) return [`<${tagName}> has no attribute “${name}”`];
      if (values.length === 0 || values.includes(value) || isPlaceholder(value)) return [];
      return [`<${tagName}> takes ${name}="${values.join('|')}", not “${value}”`];
    }),
  ];
}
