/** What `@innkeep/widgets` offers besides its main module: definitions, files for script tags, typings, editor data. */
import { TYPINGS } from '../../../packages/widgets/scripts/generate/typings.ts';
import { elements } from './element-pages.ts';
import type { Gaps } from './gaps.ts';
import { address, blocks, code, codeBlock, codeLink, heading, table } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';

const PACKAGE = '@innkeep/widgets';
const MAIN = 'reference/widgets';

/** Files of the package that are loaded by their address or read by an editor. */
const FILES: Readonly<Record<string, string>> = {
  'cdn/widgets.js':
    'All elements for `<script type="module">`. English is in it; other languages load from `locales/` beside it.',
  'cdn/widgets.iife.js': 'The same for a classic script: `<script defer>`.',
  'cdn/integrity.json': 'The hashes of both, for the attribute `integrity`.',
  'editor/html-custom-data.json': 'Tags and attributes for VS Code: the setting `html.customData`.',
  'editor/web-types.json': 'The same for JetBrains editors, which find it by themselves.',
};

/** The page. */
export function widgetImportsPage(gaps: Gaps): ReferencePage {
  return {
    path: `${MAIN}/other-imports`,
    title: 'Other imports of @innkeep/widgets',
    description:
      'Modules that define the elements, files for script tags and editors, and typings for the templates of frameworks.',
    markdown: blocks(
      `The classes, types and ${codeLink('registerLocale', address(MAIN, 'registerlocale'))} are in ${codeLink(PACKAGE, address(MAIN))} itself, which defines no element.`,
      heading(2, 'Definitions'),
      'Importing one of these registers tags with the browser. Importing it twice, or on a server, does no harm.',
      table(
        ['Import', 'Defines'],
        [
          [code(`${PACKAGE}/define`), elements().map(elementLink).join(', ')],
          ...elements().map((element) => [code(`${PACKAGE}/define/${element.tagName}`), elementLink(element)]),
        ],
      ),
      heading(2, 'Files'),
      table(
        ['File', 'What it is'],
        Object.entries(FILES).map(([file, about]) => [code(`${PACKAGE}/${file}`), about]),
      ),
      heading(2, 'Typings'),
      'They tell a compiler what a template may write. There is nothing in them at run time.',
      ...Object.entries(TYPINGS).map(([framework, typing]) => frameworkText(framework, typing(elements()), gaps)),
    ),
  };
}

/** A heading, the line to write, and every name that can be imported. */
function frameworkText(framework: string, text: string, gaps: Gaps): string {
  const specifier = `${PACKAGE}/types/${framework}`;
  const use = /^\/\/ .*? Use: (.*)$/m.exec(text)?.[1];
  const declared = [...text.matchAll(/^(?:\/\*\* (.*) \*\/\n)?export (?:interface|type) (\w+)/gm)];
  const passedOn = [...text.matchAll(/^export type \{ (.*) \} from/gm)].flatMap(([, names = '']) => names.split(', '));
  return blocks(
    heading(3, specifier),
    codeBlock('ts', gaps.require(use, `the use of ${specifier}`)),
    table(
      ['Name', 'What it is'],
      [
        ...declared.map(([, about, name = '']) => [
          code(name),
          gaps.require(about ?? propsText(name), `${specifier}: ${name}`),
        ]),
        ...passedOn.map((name) => [
          code(name),
          `The class of ${codeLink(PACKAGE, address(MAIN, name.toLowerCase()))}.`,
        ]),
      ],
    ),
  );
}

/** About the interface of an element's template; undefined for another name. */
function propsText(name: string): string | undefined {
  const element = elements().find((each) => name === `${each.name}Props`);
  return element && `What a template may write on ${elementLink(element)}: attributes, properties, listeners.`;
}

function elementLink({ tagName }: { readonly tagName: string }): string {
  return codeLink(`<${tagName}>`, address(`reference/elements/${tagName}`));
}
