/** Fills the reference part of an element's page: the tables between its two marks. */
import { type Described, type ElementManifest, type Member, settableAttributes } from './manifest.ts';

const BEGIN = '<!-- reference: made from custom-elements.json -->';
const END = '<!-- /reference -->';

/** The page with its tables made anew. */
export function elementPage(page: string, element: ElementManifest): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page of <${element.tagName}> has no marks.`);
  return `${before}${BEGIN}\n\n${reference(element)}\n${END}${after}`;
}

function reference(element: ElementManifest): string {
  const attributes = new Map(settableAttributes(element).map((each) => [each.name, each]));
  return [
    table('Attributes', [...attributes.values()], ({ name, type }) => [code(name), code(type?.text ?? 'string')]),
    table('Properties', fields(element), ({ name, type }) => [code(name), code(type?.text ?? '')]),
    table('Methods', methods(element), ({ name, return: result }) => [
      code(`${name}()`),
      code(result?.type.text ?? 'void'),
    ]),
    table('Events', element.events, ({ name, type }) => [code(name), code(type?.text ?? '')]),
    table('Slots', element.slots, ({ name }) => [name ? code(name) : '(default)']),
    table('Custom properties', element.cssProperties, ({ name, default: value }) => [
      code(name),
      value ? code(value) : '',
    ]),
    table('Parts', element.cssParts, ({ name }) => [code(name)]),
  ].join('\n');
}

const fields = ({ members }: ElementManifest): Member[] => members.filter(({ kind }) => kind === 'field');
const methods = ({ members }: ElementManifest): Member[] => members.filter(({ kind }) => kind === 'method');
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function table<Row extends Described>(title: string, rows: readonly Row[], cells: (row: Row) => string[]): string {
  const columns = rows[0] ? cells(rows[0]).length : 1;
  const line = (values: readonly string[]): string => `| ${values.join(' | ')} |\n`;
  return [
    `### ${title}\n\n`,
    line([...Array<string>(columns).fill(''), '']),
    line(Array<string>(columns + 1).fill('---')),
    ...rows.map((row) => line([...cells(row), row.description ?? ''])),
  ].join('');
}
