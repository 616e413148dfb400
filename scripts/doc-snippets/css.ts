// Prevents: a theming example with a custom property or a part that no element has.
import { generate, lexer, parse, walk } from 'css-tree';
import type { Block } from '../doc-snippets.ts';
import type { Problem } from '../report-problems.ts';
import type { ElementFacts } from './elements.ts';

/** Syntax, properties, and the names of ours in a style sheet. */
export function problemsOfCss(block: Block, elements: ElementFacts): readonly Problem[] {
  const problems: Problem[] = [];
  const complain = (line: number | undefined, message: string): void =>
    void problems.push({ file: block.file, line: block.line + (line ?? 1) - 1, message });
  const all = [...elements.values()];
  const properties = new Set(all.flatMap((element) => element.properties));
  const parts = new Set(all.flatMap((element) => element.parts));
  const sheet = parse(block.code, {
    positions: true,
    onParseError: ({ message, line }: { message: string; line?: number }) => complain(line, `CSS: ${message}`),
  });
  // One of ours, or one of the example's own that the example itself uses.
  const used = new Set([...block.code.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name));
  const isRead = (name: string): boolean => properties.has(name) || (!name.startsWith('--pay-') && used.has(name));
  const bare = block.code.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"|'[^']*'/g, '');
  if (bare.split('{').length !== bare.split('}').length) complain(1, 'CSS: a bracket does not close');
  walk(sheet, (node) => {
    const line = node.loc?.start.line;
    if (node.type === 'Declaration' && node.property.startsWith('--') && !isRead(node.property))
      complain(line, `no element reads ${node.property}`);
    if (node.type === 'Declaration' && !node.property.startsWith('--')) {
      const { error } = lexer.matchProperty(node.property, node.value);
      if (error !== null && /^Unknown property/.test(error.message)) complain(line, `CSS: ${error.message}`);
    }
    if (node.type === 'Identifier' && node.name.startsWith('--pay-') && !properties.has(node.name))
      complain(line, `no element has ${node.name}`);
    if (node.type === 'PseudoElementSelector' && node.name === 'part') {
      for (const name of (node.children === null
        ? ''
        : node.children
            .toArray()
            .map((child) => generate(child))
            .join(' ')
      ).split(/\s+/))
        if (!parts.has(name)) complain(line, `no element has a part “${name}”`);
    }
    if (node.type === 'TypeSelector' && node.name.includes('-') && !elements.has(node.name))
      complain(line, `there is no element <${node.name}>`);
  });
  return problems;
}
