/** Fills the reference part of an element's page: the tables between its two marks. The documentation site shows the same tables. */
import { type Described, type ElementManifest, type Member, settableAttributes } from './manifest.ts';

const BEGIN = '<!-- reference: made from custom-elements.json -->';
const END = '<!-- /reference -->';

/** How the tables are to be written. */
export interface ElementTableStyle {
  /** The name of a row; `group` is the title of its table. */
  readonly name: (group: string, name: string) => string;
  readonly type: (type: string) => string;
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const PLAIN: ElementTableStyle = { name: (_, name) => (name === '' ? '(default)' : code(name)), type: code };

/** The page with its tables made anew. */
export function elementPage(page: string, element: ElementManifest): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page of <${element.tagName}> has no marks.`);
  return `${before}${BEGIN}\n\n${elementTables(element, { level: '###' })}\n${END}${after}`;
}

/** Every table of an element under a heading each; `level` is the heading's mark. */
function elementTables(
  element: ElementManifest,
  { level, style = PLAIN }: { readonly level: '##' | '###'; readonly style?: ElementTableStyle },
): string {
  const { type } = style;
  const attributes = new Map(settableAttributes(element).map((each) => [each.name, each]));
  const table = <Row extends Described>(
    title: string,
    head: readonly string[],
    rows: readonly Row[],
    more: (row: Row) => string[],
    shown: (row: Row) => string = ({ name }) => name,
  ): string => {
    if (rows.length === 0) return '';
    const line = (values: readonly string[]): string => `| ${values.join(' | ')} |\n`;
    return [
      `${level} ${title}\n\n`,
      line([...head, 'Meaning']),
      line([...head, ''].map(() => '---')),
      ...rows.map((row) => line([style.name(title, shown(row)), ...more(row), row.description ?? ''])),
    ].join('');
  };
  return [
    table('Attributes', ['Attribute', 'Type'], [...attributes.values()], (row) => [type(row.type?.text ?? 'string')]),
    table('Properties', ['Property', 'Type'], fields(element), (row) => [type(row.type?.text ?? '')]),
    table(
      'Methods',
      ['Method', 'Returns'],
      methods(element),
      ({ return: result }) => [type(result?.type.text ?? 'void')],
      ({ name }) => `${name}()`,
    ),
    table('Events', ['Event', 'Type'], element.events, (row) => [type(row.type?.text ?? '')]),
    table('Slots', ['Slot'], element.slots, () => []),
    table('Custom properties', ['Property', 'Default'], element.cssProperties, (row) => [
      row.default ? code(row.default) : 'the theme’s',
    ]),
    table('Parts', ['Part'], element.cssParts, () => []),
  ]
    .filter((each) => each !== '')
    .join('\n');
}

const fields = ({ members }: ElementManifest): Member[] => members.filter(({ kind }) => kind === 'field');
const methods = ({ members }: ElementManifest): Member[] => members.filter(({ kind }) => kind === 'method');
