// Prevents: a link in the documentation that leads nowhere after a file was moved or a heading renamed.
import { posix } from 'node:path';
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { readText, repositoryFiles } from './workspace.ts';

/** Relative links of one Markdown file that point at no file, or at no heading of it. `read` gives the text of a repository file. */
export function findLinkProblems(
  file: string,
  text: string,
  files: ReadonlySet<string>,
  read: (file: string) => string,
): readonly Problem[] {
  const folders = new Set([...files].flatMap((path) => ancestors(path)));
  return links(withoutCode(text)).flatMap(({ target, offset }) => {
    const problem = (message: string): readonly Problem[] => [{ file, line: lineAt(text, offset), message }];
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
    const [path = '', anchor] = decodeURI(target).split('#');
    const destination = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '');
    if (path.startsWith('/')) return problem(`${target}: write a link relative to this file`);
    if (!files.has(destination) && !folders.has(destination)) return problem(`${target}: no such file`);
    if (anchor === undefined || anchor === '' || !destination.endsWith('.md')) return [];
    return headingAnchors(destination === file ? text : read(destination)).has(anchor)
      ? []
      : problem(`${target}: no such heading`);
  });
}

function links(text: string): readonly { readonly target: string; readonly offset: number }[] {
  const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
  const reference = /^\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm;
  return [...text.matchAll(inline), ...text.matchAll(reference)].map((match) => ({
    target: match[1] ?? '',
    offset: match.index,
  }));
}

/** Blanks out code, keeping every offset. */
function withoutCode(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, ' '));
}

/** Anchors the way GitHub makes them: lower case, punctuation dropped, spaces to hyphens, repeated ones numbered. */
export function headingAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const plain = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$/gm, '');
  for (const match of plain.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const base = (match[1] ?? '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  for (const match of plain.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(match[1] ?? '');
  return anchors;
}

function ancestors(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

if (import.meta.main) {
  const files = repositoryFiles();
  const documents = files.filter((file) => file.endsWith('.md') && !file.endsWith('CHANGELOG.md'));
  reportProblems(
    documents.flatMap((file) => findLinkProblems(file, readText(file), new Set(files), (path) => readText(path))),
    'Point the link at where the text went.',
    `${documents.length} documents`,
  );
}
