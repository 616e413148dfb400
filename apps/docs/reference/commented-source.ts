/** Comments inside a declaration, where TypeDoc does not look: at the keys of a table, the items of a list, the members of a union. */
import { type Comment, type Program, parseSync } from 'oxc-parser';
import { ROOT, readText } from '../../../scripts/workspace.ts';

/** One commented part of a declaration. */
export interface CommentedPart {
  /** Key of a table, or the text of a literal. */
  readonly name: string;
  /** Value of a key when it is a literal. */
  readonly value: string | number | boolean | undefined;
  /** Text of the comment without its frame; empty when there is none. */
  readonly comment: string;
}

type Node = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number };

/**
 * The parts of a constant or a type, in their order.
 *
 * @throws when the file declares nothing of that name, or something without parts
 */
export function commentedParts(file: string, name: string): readonly CommentedPart[] {
  const source = readText(file, ROOT);
  const { program, comments } = parseSync(file, source);
  const declaration = findDeclaration(program, name);
  if (declaration === undefined) throw new Error(`${file} declares no ${name}.`);
  const parts = partsOf(declaration).map((node) => ({
    ...naming(node),
    comment: commentBefore(node, { source, comments }),
  }));
  if (parts.length === 0) throw new Error(`${name} in ${file} has no parts.`);
  return parts;
}

function findDeclaration(program: Program, name: string): Node | undefined {
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
      if (found?.init !== undefined && found.init !== null) return found.init as unknown as Node;
    }
    if (declaration?.type === 'TSTypeAliasDeclaration' && declaration.id.name === name) {
      return declaration.typeAnnotation as unknown as Node;
    }
  }
  return undefined;
}

function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return partsOf(node.expression as Node);
    case 'ObjectExpression':
      return node.properties as Node[];
    case 'ArrayExpression':
      return node.elements as Node[];
    case 'TSUnionType':
      return node.types as Node[];
    default:
      return [];
  }
}

function naming(node: Node): Pick<CommentedPart, 'name' | 'value'> {
  const literal = (each: unknown): string | number | boolean | undefined => {
    const { type, value, literal: inner } = Object(each) as { type?: string; value?: unknown; literal?: unknown };
    if (type === 'TSLiteralType') return literal(inner);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
  };
  if (node.type !== 'Property') return { name: String(literal(node) ?? ''), value: literal(node) };
  const key = node.key as { readonly name?: string; readonly value?: unknown };
  return { name: key.name ?? String(key.value), value: literal(node.value) };
}

/** The comment that ends where the node begins; separators between them do not count. */
function commentBefore(
  node: Node,
  { source, comments }: { readonly source: string; readonly comments: readonly Comment[] },
): string {
  const found = comments.find(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= node.start && /^[\s|]*$/.test(source.slice(end, node.start)),
  );
  return found === undefined ? '' : unframed(found.value);
}

function unframed(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}
