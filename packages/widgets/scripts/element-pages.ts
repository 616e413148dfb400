/**
 * Fills the reference part of an element's page: the tables between its two marks. An element with the same reference as
 * the first needs no marks. `--check` writes nothing and fails when a page is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Described, ELEMENTS, type ElementManifest } from './manifest.ts';

const MARKS = ['<!-- reference: made from custom-elements.json -->', '<!-- /reference -->'] as const;
const REFERENCE = new RegExp(`(?<=${MARKS[0]}\\n\\n).*(?=\\n${MARKS[1]})`, 's');

for (const element of ELEMENTS) {
  const path = `packages/widgets/src/elements/${element.tagName}/README.md`;
  const file = new URL(`../../../${path}`, import.meta.url);
  if (!existsSync(file)) throw new Error(`Write ${path}: the page of <${element.tagName}>.`);
  const page = readFileSync(file, 'utf8');
  if (!REFERENCE.test(page)) {
    if (ELEMENTS[0] !== element && ELEMENTS[0] && tables(ELEMENTS[0]) === tables(element)) continue;
    throw new Error(`${path} needs the marks \`${MARKS.join('` and `')}\`, with two empty lines between them.`);
  }
  const filled = page.replace(REFERENCE, () => tables(element));
  if (filled === page) continue;
  if (process.argv.includes('--check')) {
    throw new Error(`${path} is out of date: run \`npx pnpm exec node packages/widgets/scripts/element-pages.ts\`.`);
  }
  writeFileSync(file, filled);
}

function tables({ attributes, members, events, slots, cssProperties, cssParts }: ElementManifest): string {
  const fields = [
    ...members.filter(({ kind }) => kind === 'field'),
    ...attributes
      .filter(({ fieldName }) => fieldName === undefined)
      .map((each) => ({ ...each, name: '', attribute: each.name })),
  ];
  const methods = members
    .filter(({ kind }) => kind === 'method')
    .map((method) => ({ ...method, name: `${method.name}()`, type: method.return?.type ?? { text: 'void' } }));
  return [
    table('Properties and attributes', ['Property', 'Attribute', 'Type'], fields, (row) => [
      row.name === '' ? 'none' : code(row.name),
      row.attribute === undefined ? 'none' : code(row.attribute),
      typeOf(row),
    ]),
    table('Methods', ['Method', 'Returns'], methods, (row) => [code(row.name), typeOf(row)]),
    table('Events', ['Event', 'Type'], events, (row) => [code(row.name), typeOf(row)]),
    list('Slots', slots),
    list('Custom properties', cssProperties),
    list('Parts', cssParts),
  ]
    .filter((each) => each !== '')
    .join('\n');
}

function table<Row extends Described>(
  title: string,
  columns: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const head = [...columns, 'Meaning'];
  const lines = rows.map((row) => line([...cellsOf(row), row.description ?? '']));
  return `### ${title}\n\n${line(head)}${line(head.map(() => '---'))}${lines.join('')}`;
}

function list(title: string, rows: readonly Described[]): string {
  const lines = rows.map(({ name, default: initial, description = '' }) => {
    const label = name === '' ? '(default)' : code(name);
    return `- ${label}${initial === undefined ? '' : ` (${code(initial)})`}: ${description}\n`;
  });
  return lines.length === 0 ? '' : `### ${title}\n\n${lines.join('')}`;
}

function typeOf({ type }: Pick<Described, 'type'>): string {
  return code(type?.text ?? 'string');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
