// Prevents: a name that can be imported, called, set or answered and has no entry in the reference, and an entry of a name that is gone.
import { referencePages } from '../apps/docs/reference/all-pages.ts';
import type { EntryForm, NamedThings } from '../apps/docs/reference/source-names.ts';
import { sourceNames } from '../apps/docs/reference/source-names.ts';
import { type Problem, reportProblems } from './report-problems.ts';

/** A page of the reference as this check sees it. */
export interface CheckedPage {
  readonly path: string;
  readonly markdown: string;
}

/** Compares names with entries, both ways. Each problem names the page and the name. */
export function findReferenceProblems(
  pages: readonly CheckedPage[],
  expected: readonly NamedThings[],
): readonly Problem[] {
  return expected.flatMap(({ kind, page, names, entry }) => {
    const found = pages.find(({ path }) => path === page);
    const problem = (message: string): Problem => ({ file: page, message });
    if (found === undefined) return [problem(`there is no such page; it would have each ${kind}`)];
    const entries = entriesOf(found.markdown, entry);
    return [
      ...names.filter((name) => !entries.includes(name)).map((name) => problem(`${kind} “${name}” has no entry`)),
      ...entries
        .filter((name) => !names.includes(name))
        .map((name) => problem(`the entry “${name}” is about no ${kind} in the sources`)),
    ];
  });
}

function entriesOf(markdown: string, entry: EntryForm): readonly string[] {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  switch (entry.form) {
    case 'heading': {
      const headings = [...text.matchAll(/^(#{2,6}) (.+)$/gm)].filter(([, marks]) => marks?.length === entry.level);
      return headings.map(([, , title = '']) => title).filter((title) => entry.matching?.test(title) !== false);
    }
    case 'anchor': {
      const within = entry.within === undefined ? text : sectionOf(text, entry.within);
      return [...within.matchAll(/<a id="([^"]+)">/g)]
        .map(([, id = '']) => id)
        .filter((id) => id.startsWith(entry.prefix))
        .map((id) => id.slice(entry.prefix.length));
    }
    case 'row':
      return [...sectionOf(text, entry.within).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  }
}

/** From a heading to the next one that is not below it; empty when there is no such heading. */
function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#{2,6} /.test(line) && line.replace(/^#+ /, '') === title);
  if (start === -1) return '';
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => {
    const marks = /^(#{2,6}) /.exec(line)?.[1]?.length;
    return marks !== undefined && marks <= level;
  });
  return rest.slice(0, end === -1 ? rest.length : end).join('\n');
}

if (import.meta.main) {
  const expected = await sourceNames();
  const pages = await referencePages();
  reportProblems(
    findReferenceProblems(pages, expected),
    'The pages are made from the sources by apps/docs/reference: describe the new name there, or in the words next to it.',
    `${expected.reduce((sum, { names }) => sum + names.length, 0)} names in ${pages.length} pages`,
  );
}
