/** One page for each element, with the tables that its README has. */
import { join } from 'node:path';
import { elementTables } from '../../../packages/widgets/scripts/generate/element-page.ts';
import { type ElementManifest, readElements } from '../../../packages/widgets/scripts/generate/manifest.ts';
import { ROOT, readText } from '../../../scripts/workspace.ts';
import type { ApiIndex } from './api-index.ts';
import type { Gaps } from './gaps.ts';
import { address, anchored, blocks, code, codeLink, firstSentence, toPlainText } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';

/** What each kind of table calls its rows in anchors: `attribute-endpoint`. */
const KINDS: Readonly<Record<string, string>> = {
  Attributes: 'attribute',
  Properties: 'property',
  Methods: 'method',
  Events: 'event',
  Slots: 'slot',
  'Custom properties': 'css',
  Parts: 'part',
};

/** Every element of the manifest. */
export function elements(): readonly ElementManifest[] {
  return readElements(readText(join('packages/widgets', 'custom-elements.json'), ROOT));
}

/** Address of an element's event. */
export function elementEventAddress(tagName: string, event: string): string {
  return address(`reference/elements/${tagName}`, `event-${event}`);
}

/** The pages of the elements. */
export function elementPages(model: SourceModel, index: ApiIndex, gaps: Gaps): readonly ReferencePage[] {
  const types = new Map(
    model.exportsOf('packages/widgets/src/index.ts').map((each) => [each.name, index.find(each)] as const),
  );
  return elements().map((element) => {
    const { tagName } = element;
    const about = gaps.require(element.description, `<${tagName}>`);
    for (const list of [
      element.attributes,
      element.events,
      element.slots,
      element.cssParts,
      element.cssProperties,
      element.members,
    ]) {
      for (const { name, description } of list) gaps.require(description, `<${tagName}>: ${name}`);
    }
    const tables = elementTables(element, {
      level: '##',
      style: {
        name: (group, name) => anchored(`${KINDS[group]}-${anchorName(name)}`, name === '' ? '(default)' : code(name)),
        type: (type) => linked(type, types),
      },
    });
    return {
      path: `reference/elements/${tagName}`,
      title: `<${tagName}>`,
      description: toPlainText(firstSentence(about)),
      markdown: blocks(
        about,
        [
          `How to use it, its states and its look: [${code(`<${tagName}>`)}](../packages/widgets/src/elements/${tagName}/README.md).`,
          `Its class is ${code(element.name)} of [${code('@innkeep/widgets')}](${address('reference/widgets')}).`,
        ].join(' '),
        tables.trimEnd(),
      ),
    };
  });
}

/** Names in anchors: lower case, without brackets and leading dashes. */
function anchorName(name: string): string {
  return name === '' ? 'default' : name.replace('()', '').replace(/^-+/, '').toLowerCase();
}

/** A type whose own names lead to their entries. Pipes are escaped: it stands in a table. */
function linked(type: string, types: ReadonlyMap<string, string | undefined>): string {
  const pieces = type.split(/\b([A-Z]\w+)\b/).filter((piece) => piece !== '');
  const merged: { readonly text: string; readonly href: string | undefined }[] = [];
  for (const piece of pieces) {
    const href = types.get(piece);
    const last = merged.at(-1);
    if (href === undefined && last !== undefined && last.href === undefined) {
      merged[merged.length - 1] = { text: last.text + piece, href };
    } else merged.push({ text: piece, href });
  }
  return merged
    .map(({ text, href }) => (href === undefined ? code(text) : codeLink(text, href)))
    .join('')
    .replaceAll('|', '\\|');
}
