// Prevents: import checks that miss an import because a regular expression did not recognize its form.
import { type Program, parseSync } from 'oxc-parser';
import { lineAt } from './report-problems.ts';

/** One `import`, `export … from`, `import()` or `import('x').T` of a file. */
export interface ModuleImport {
  readonly specifier: string;
  readonly line: number;
  readonly kind: 'import' | 're-export' | 're-export-all' | 'dynamic' | 'type';
}

/** What the import rules need to know about a file. */
export interface ModuleSummary {
  /** Path relative to the repository's root. */
  readonly file: string;
  readonly imports: readonly ModuleImport[];
  /** True when the file contains nothing but imports and re-exports. */
  readonly isBarrel: boolean;
}

/** Parses one TypeScript or JavaScript file. Throws on a syntax error: a file that cannot be read cannot be vouched for. */
export function summarizeModule(file: string, source: string): ModuleSummary {
  const { program, errors } = parseSync(file, source);
  const error = errors[0];
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return { file, imports: findImports(program, source), isBarrel: isBarrel(program) };
}

function findImports(program: Program, source: string): readonly ModuleImport[] {
  const imports: ModuleImport[] = [];
  walk(program, (node) => {
    const kind = importKind(node);
    const target = node.source;
    const specifier = isNode(target) ? target.value : undefined;
    if (kind !== undefined && typeof specifier === 'string') {
      imports.push({ kind, specifier, line: lineAt(source, Number(node.start)) });
    }
  });
  return imports;
}

function importKind(node: Node): ModuleImport['kind'] | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return 'import';
    case 'ExportNamedDeclaration':
      return 're-export';
    case 'ExportAllDeclaration':
      return 're-export-all';
    case 'ImportExpression':
      return 'dynamic';
    case 'TSImportType':
      return 'type';
    default:
      return undefined;
  }
}

function isBarrel(program: Program): boolean {
  const statements = program.body;
  const reExports = statements.filter(
    (statement) =>
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.declaration === null && statement.source !== null),
  );
  return reExports.length > 0 && reExports.length === statements.length;
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Calls `visit` for every node of a syntax tree, parents first. */
export function walk(node: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
    return;
  }
  if (!isNode(node)) return;
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) if (isNode(value)) walk(value, visit);
}
