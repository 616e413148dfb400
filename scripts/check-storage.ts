// Prevents: data that a Durable Object keeps and that no table of lifetimes and protections mentions: a secret stored in the clear,
// or a record that is never erased, starts as a key nobody wrote down.
import { parseSync } from 'oxc-parser';
import { walk } from './module-imports.ts';
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { readText, repositoryFiles } from './workspace.ts';

/** The register: one table row per stored table or key, named in backticks in its first cell. */
const REGISTER = 'packages/edge-proxy/STORAGE.md';

/** A table or key that a source file writes to. */
export interface StoredThing {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** SQL tables a source creates, and keys it puts into key-value storage. */
export function storedThings(file: string, source: string): readonly StoredThing[] {
  const things: StoredThing[] = [];
  const add = (name: string, offset: number): void => {
    things.push({ name, file, line: lineAt(source, offset) });
  };
  walk(parseSync(file, source).program, (node) => {
    const text = textOf(node);
    for (const match of text?.matchAll(/\bCREATE\s+(?:VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?["'`[]?(\w+)/gi) ??
      []) {
      add(match[1] ?? '', Number(node.start) + match.index);
    }
    const key = keyPut(node);
    if (key !== undefined) add(key, Number(node.start));
  });
  return things;
}

type Node = Readonly<Record<string, unknown>>;

/** The text of a string literal or of one part of a template. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateElement') return undefined;
  return (node.value as { readonly cooked?: string }).cooked;
}

/** The key of `storage.put('key', …)` or `storage.kv.put('key', …)`. */
function keyPut(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as Node;
  if (callee.type !== 'MemberExpression' || (callee.property as Node).name !== 'put') return undefined;
  const owner = callee.object as Node;
  const ownerName = owner.type === 'MemberExpression' ? (owner.property as Node).name : owner.name;
  const [key] = node.arguments as readonly Node[];
  return /^#?(?:storage|kv)$/.test(String(ownerName)) && key?.type === 'Literal' ? String(key.value) : undefined;
}

/** Compares what is stored with the register, in both directions. */
export function findStorageProblems(things: readonly StoredThing[], register: string): readonly Problem[] {
  const rows = [...register.matchAll(/^\|\s*`([^`]+)`[^|]*\|.*$/gm)].map((match) => ({
    name: match[1] ?? '',
    line: lineAt(register, match.index),
  }));
  const registered = new Set(rows.map(({ name }) => name));
  const stored = new Set(things.map(({ name }) => name));
  return [
    ...things
      .filter(({ name }) => !registered.has(name))
      .map(({ name, file, line }) => ({ file, line, message: `stores “${name}”, which has no row in ${REGISTER}` })),
    ...rows
      .filter(({ name }) => !stored.has(name))
      .map(({ name, line }) => ({ file: REGISTER, line, message: `“${name}” is stored nowhere any more` })),
    ...(things.length === 0
      ? [{ file: REGISTER, message: 'found nothing that is stored: was the folder moved?' }]
      : []),
  ];
}

if (import.meta.main) {
  const files = repositoryFiles();
  const sources = files.filter((file) => /^packages\/edge-proxy\/src\/.+(?<!\.test)\.ts$/.test(file));
  const things = sources.flatMap((file) => storedThings(file, readText(file)));
  reportProblems(
    files.includes(REGISTER)
      ? findStorageProblems(things, readText(REGISTER))
      : [{ file: REGISTER, message: 'is not there' }],
    `Give it a row in ${REGISTER}: what it is, an example, its lifetime, how it is protected.`,
    `${new Set(things.map(({ name }) => name)).size} stored tables and keys`,
  );
}
