/** The front page of the reference. */
import { address, blocks, codeLink, heading } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';

/** What each part of the reference answers, by the beginning of its pages' paths. */
const PARTS: readonly { readonly title: string; readonly within: RegExp }[] = [
  { title: 'Look something up', within: /^reference\/(errors|events|states|configuration|command-line|sandbox)$/ },
  { title: 'HTTP API of the proxy', within: /^reference\/http(\/|$)/ },
  { title: 'Elements', within: /^reference\/elements\// },
  { title: 'Core: for programs', within: /^reference\/core(\/|$)/ },
  { title: 'Other packages', within: /^reference\/(widgets|edge-proxy|sandbox\/)/ },
];

/** A list of all other pages. @throws when one of them is in no part */
export function overviewPage(pages: readonly ReferencePage[]): ReferencePage {
  const lost = pages.filter(({ path }) => !PARTS.some(({ within }) => within.test(path)));
  if (lost.length > 0) throw new Error(`In no part of the reference: ${lost.map(({ path }) => path).join(', ')}`);
  return {
    path: 'reference',
    title: 'Reference',
    description: 'Every name, route, error, event, setting and command of Innkeep, made from the source.',
    markdown: blocks(
      'Every page here is made from the source when the site is built.',
      ...PARTS.map(({ title, within }) =>
        blocks(
          heading(2, title),
          pages
            .filter(({ path }) => within.test(path))
            .map((page) => `- ${titleLink(page)}: ${page.description.replaceAll('<', '\\<')}`)
            .join('\n'),
        ),
      ),
    ),
  };
}

/** Names of tags and modules are code. */
function titleLink({ title, path }: ReferencePage): string {
  return /^[<@]/.test(title) ? codeLink(title, address(path)) : `[${title}](${address(path)})`;
}
