/**
 * Fills the reference part of each element's page: the tables between its two marks. `--check` writes nothing and fails
 * when a page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Described, ELEMENTS, type ElementManifest } from './manifest.ts';

const REFERENCE = /(?<=<!-- reference: made from custom-elements.json -->\n\n).*(?=\n<!-- \/reference -->)/s;

for (const element of ELEMENTS) {
  const file = new URL(`../src/elements/${element.tagName}/README.md`, import.meta.url);
  const page = readFileSync(file, 'utf8');
  if (!REFERENCE.test(page)) throw new Error(`The page of <${element.tagName}> has no marks.`);
  const filled = page.replace(REFERENCE, () => tables(element));
  if (filled === page) continue;
  if (process.argv.includes('--check')) {
    throw new Error(
      `The page of <${element.tagName}> is out of date: run \`node scripts/element-pages.ts\` in packages/widgets.`,
    );
  }
  writeFileSync(file, filled);
}

function tables({ attributes, members, events, slots, cssProperties, cssParts }: ElementManifest): string {
  const fields = members.filter(({ kind }) => kind === 'field');
  const methods = members
    .filter(({ kind }) => kind === 'method')
    .map((method) => ({ ...method, name: `${method.name}()`, type: method.return?.type ?? { text: 'void' } }));
  return [
    table('Attributes', ['Attribute', 'Type'], attributes, typeOf),
    table('Properties', ['Property', 'Type'], fields, typeOf),
    table('Methods', ['Method', 'Returns'], methods, typeOf),
    table('Events', ['Event', 'Type'], events, typeOf),
    table('Slots', ['Slot'], slots),
    table('Custom properties', ['Property', 'Default'], cssProperties, (row) =>
      row.default ? code(row.default) : 'the theme’s',
    ),
    table('Parts', ['Part'], cssParts),
  ]
    .filter((each) => each !== '')
    .join('\n');
}

function table(
  title: string,
  columns: readonly string[],
  rows: readonly Described[],
  second?: (row: Described) => string,
): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const head = [...columns, 'Meaning'];
  const lines = rows.map((row) => {
    const name = row.name === '' ? '(default)' : code(row.name);
    return line([name, ...(second ? [second(row)] : []), row.description ?? '']);
  });
  return `### ${title}\n\n${line(head)}${line(head.map(() => '---'))}${lines.join('')}`;
}

function typeOf({ type }: Described): string {
  return code(type?.text ?? 'string');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
