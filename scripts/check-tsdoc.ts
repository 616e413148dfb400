// Prevents: an exported name whose meaning, unit or failure only its author knows.
import { parseSync } from 'oxc-parser';
import { walk } from './module-imports.ts';
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { readText, repositoryFiles } from './workspace.ts';

/**
 * Exported declarations of one source file without a TSDoc comment directly above. A file with a single export may say it in
 * the comment at its top; a class may not, since editors and the elements' manifest read what stands above the class.
 */
export function findUndocumented(file: string, source: string): readonly Problem[] {
  const { program, comments } = parseSync(file, source);
  const isDocumented = (start: number): boolean =>
    comments.some(
      ({ type, value, end }) =>
        type === 'Block' &&
        value.startsWith('*') &&
        end <= start &&
        source
          .slice(end, start)
          .replaceAll(/\/\/.*/g, '')
          .trim() === '',
    );
  const exports = program.body.filter(({ type }) => type.startsWith('Export'));
  const hasTopComment =
    comments[0]?.type === 'Block' &&
    comments[0].value.startsWith('*') &&
    source.slice(0, comments[0].start).trim() === '';
  const documented = new Set<string>();
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
    const names = namesOf(statement.declaration);
    if (exports.length === 1 && hasTopComment && statement.declaration.type !== 'ClassDeclaration') return [];
    if (isDocumented(statement.start) || describesItself(statement.declaration)) {
      for (const name of names) documented.add(name);
      return [];
    }
    return names
      .filter((name) => !documented.has(name)) // the first overload speaks for all
      .map((name) => ({ file, line: lineAt(source, statement.start), message: `${name} has no TSDoc` }));
  });
}

/** True for rows of a table, like the sandbox's scenarios, that carry their sentence in a `description`. */
function describesItself(declaration: object): boolean {
  let hasDescription = false;
  walk(declaration, (node) => {
    if (node.type === 'Property' && (node.key as { readonly name?: string }).name === 'description')
      hasDescription = true;
  });
  return hasDescription && 'declarations' in declaration;
}

function namesOf(declaration: object): readonly string[] {
  if ('declarations' in declaration && Array.isArray(declaration.declarations)) {
    return declaration.declarations.flatMap(({ id }: { id: object }) => nameOf(id));
  }
  return 'id' in declaration && typeof declaration.id === 'object' && declaration.id !== null
    ? nameOf(declaration.id)
    : [];
}

function nameOf(id: object): readonly string[] {
  return 'name' in id && typeof id.name === 'string' ? [id.name] : [];
}

if (import.meta.main) {
  // A translation is what its file's name says.
  const files = repositoryFiles().filter(
    (file) => /^packages\/[^/]+\/src\/.+(?<!\.test|\.test-d)\.ts$/.test(file) && !file.includes('/locales/'),
  );
  reportProblems(
    files.flatMap((file) => findUndocumented(file, readText(file))),
    'Say in one sentence what it is; then units, side effects and error codes where they apply.',
    `${files.length} source files`,
  );
}
