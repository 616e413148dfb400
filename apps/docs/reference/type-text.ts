/** Types as one line of Markdown: code, with links where a name has an entry of its own. */
import {
  type DeclarationReflection,
  type Reflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
  type Type,
} from 'typedoc';
import { code, codeLink } from './markdown.ts';

/** Address of the entry of a declaration; undefined when it has none. */
export type FindEntry = (reflection: Reflection) => string | undefined;

/** A piece of a type: text, perhaps with a target. */
interface Token {
  readonly text: string;
  readonly href?: string | undefined;
}

/** A type in one line. */
export function typeText(type: Type | undefined, find: FindEntry): string {
  return join(typeTokens(type, find));
}

/** A function type in one line: `(input: PayInput) => Promise<PayResult>`. */
export function signatureText(signature: SignatureReflection, find: FindEntry): string {
  return join(signatureTokens(signature, find, ' => '));
}

/** A declaration's head in plain text: `pay(context: Context, input: PayInput): Promise<PayResult>`. */
export function signatureHead(signature: SignatureReflection, name: string, find: FindEntry): string {
  const tokens = signatureTokens(signature, find, ': ');
  return `${name}${tokens.map(({ text }) => text).join('')}`;
}

/** Name of a parameter; a destructured one is called what the table of its fields is about. */
export function parameterName(name: string): string {
  return name === '__namedParameters' ? 'options' : name;
}

function join(tokens: readonly Token[]): string {
  const merged: Token[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (last !== undefined && last.href === undefined && token.href === undefined) {
      merged[merged.length - 1] = { text: last.text + token.text };
    } else merged.push(token);
  }
  return merged.map(({ text, href }) => (href === undefined ? code(text) : codeLink(text, href))).join('');
}

function joined(types: readonly Type[], separator: string, find: FindEntry): Token[] {
  return types.flatMap((each, index) => [...(index === 0 ? [] : [{ text: separator }]), ...typeTokens(each, find)]);
}

/** The items of a constant list that a type is taken from: `(typeof OPERATIONS)[number]`. */
function itemsOf(type: SomeType): readonly Type[] | undefined {
  if (type.type !== 'query') return undefined;
  const list = (type.queryType.reflection as DeclarationReflection | undefined)?.type as SomeType | undefined;
  const tuple = list?.type === 'typeOperator' ? (list.target as SomeType) : list;
  return tuple?.type === 'tuple' ? tuple.elements : undefined;
}

const text = (value: string): Token => ({ text: value });

/** Types that need brackets when something is attached to them. */
function isComposite(type: SomeType): boolean {
  return (
    type.type === 'union' ||
    type.type === 'intersection' ||
    type.type === 'conditional' ||
    type.type === 'typeOperator' ||
    (type.type === 'reflection' && type.declaration.signatures !== undefined)
  );
}

function bracketed(type: Type, find: FindEntry): Token[] {
  const tokens = typeTokens(type, find);
  return isComposite(type as SomeType) ? [text('('), ...tokens, text(')')] : tokens;
}

/** `undefined` of an optional member says what the question mark says already. */
export function withoutUndefined(type: SomeType | undefined): Type | undefined {
  if (type?.type !== 'union') return type;
  const rest = type.types.filter((each) => !(each.type === 'intrinsic' && each.name === 'undefined'));
  if (rest.length === type.types.length) return type;
  if (rest.length === 1) return rest[0];
  const copy = Object.create(Object.getPrototypeOf(type)) as typeof type;
  return Object.assign(copy, type, { types: rest });
}

function typeTokens(type: Type | undefined, find: FindEntry): Token[] {
  if (type === undefined) return [text('unknown')];
  const some = type as SomeType;
  switch (some.type) {
    case 'array':
      return [...bracketed(some.elementType, find), text('[]')];
    case 'union':
      return some.types.flatMap((each, index) => [
        ...(index === 0 ? [] : [text(' | ')]),
        ...(each.type === 'reflection' && each.declaration.signatures !== undefined
          ? bracketed(each, find)
          : typeTokens(each, find)),
      ]);
    case 'intersection':
      return some.types.flatMap((each, index) => [...(index === 0 ? [] : [text(' & ')]), ...bracketed(each, find)]);
    case 'typeOperator':
      return [text(`${some.operator} `), ...bracketed(some.target, find)];
    case 'tuple':
      return [text('['), ...joined(some.elements, ', ', find), text(']')];
    case 'namedTupleMember':
      return [text(`${some.name}${some.isOptional ? '?' : ''}: `), ...typeTokens(some.element, find)];
    case 'rest':
      return [text('...'), ...bracketed(some.elementType, find)];
    case 'optional':
      return [...bracketed(some.elementType, find), text('?')];
    case 'indexedAccess': {
      const items = itemsOf(some.objectType);
      if (items !== undefined) return joined(items, ' | ', find);
      return [...typeTokens(some.objectType, find), text('['), ...typeTokens(some.indexType, find), text(']')];
    }
    case 'predicate':
      return [text(`${some.name} is `), ...typeTokens(some.targetType, find)];
    case 'reference': {
      const href = some.reflection === undefined ? undefined : find(some.reflection);
      // A name that nobody can import says less than what it stands for.
      const alias = href === undefined ? (some.reflection as DeclarationReflection | undefined)?.type : undefined;
      if (alias !== undefined && some.typeArguments === undefined) return typeTokens(alias, find);
      const name: Token = { text: some.name, href };
      const args = some.typeArguments ?? [];
      return args.length === 0 ? [name] : [name, text('<'), ...joined(args, ', ', find), text('>')];
    }
    case 'query': {
      const { name, reflection } = some.queryType;
      return [text('typeof '), { text: name, href: reflection && find(reflection) }];
    }
    case 'reflection':
      return literalTokens(some.declaration, find);
    default:
      return [text(some.toString())];
  }
}

/** An object or a function written where it is used. */
function literalTokens(declaration: DeclarationReflection, find: FindEntry): Token[] {
  const [signature] = declaration.signatures ?? [];
  if (signature !== undefined) return signatureTokens(signature, find, ' => ');
  const members = (declaration.children ?? []).map((child) => {
    const [method] = child.signatures ?? [];
    if (method !== undefined) return [text(child.name), ...signatureTokens(method, find, ': ')];
    const isOptional = child.flags.isOptional;
    return [
      text(`${child.name}${isOptional ? '?' : ''}: `),
      ...typeTokens(isOptional ? withoutUndefined(child.type) : child.type, find),
    ];
  });
  const [index] = declaration.indexSignatures ?? [];
  if (index !== undefined) {
    const key = index.parameters?.[0];
    members.push([
      text(`[${key?.name ?? 'key'}: `),
      ...typeTokens(key?.type, find),
      text(']: '),
      ...typeTokens(index.type, find),
    ]);
  }
  if (members.length === 0) return [text('{}')];
  return [text('{ '), ...members.flatMap((member, at) => [...(at === 0 ? [] : [text('; ')]), ...member]), text(' }')];
}

function signatureTokens(signature: SignatureReflection, find: FindEntry, arrow: ' => ' | ': '): Token[] {
  const names = (signature.typeParameters ?? []).map(({ name }) => name);
  const parameters = (signature.parameters ?? []).flatMap((parameter, index) => {
    const isOptional = parameter.flags.isOptional || parameter.defaultValue !== undefined;
    return [
      text(
        `${index === 0 ? '' : ', '}${parameter.flags.isRest ? '...' : ''}${parameterName(parameter.name)}${isOptional ? '?' : ''}: `,
      ),
      ...typeTokens(isOptional ? withoutUndefined(parameter.type) : parameter.type, find),
    ];
  });
  const isConstructor = signature.kind === ReflectionKind.ConstructorSignature;
  return [
    text(names.length === 0 ? '(' : `<${names.join(', ')}>(`),
    ...parameters,
    text(')'),
    ...(isConstructor ? [] : [text(arrow), ...typeTokens(signature.type, find)]),
  ];
}
