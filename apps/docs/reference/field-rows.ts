/** JSON Schema as rows of a table. Types and limits are the schema's; words are those of a type in the sources, else its own. */
import type { DeclarationReflection, SomeType, Type } from 'typedoc';
import { summaryText } from './comment-text.ts';
import type { Gaps } from './gaps.ts';
import { code, table } from './markdown.ts';
import type { FindEntry } from './type-text.ts';
import { aboutType } from './type-words.ts';

/** The parts of JSON Schema that our schemas become. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What the rows need besides the schema. */
export interface FieldContext {
  readonly gaps: Gaps;
  /** What the table is about, for the message when something has no words. */
  readonly what: string;
  readonly find: FindEntry;
  /** Type in the sources whose comments say what the fields mean. */
  readonly words?: DeclarationReflection | undefined;
  /** A link in place of the type's own fields, when an object has an entry elsewhere. */
  readonly linkTo?: ((schema: JsonSchema) => string | undefined) | undefined;
  /** What stands before a field's name: an anchor, for instance. */
  readonly anchor?: ((path: string) => string) | undefined;
  /** Fields that are described elsewhere. */
  readonly without?: readonly string[] | undefined;
}

/** One field. */
interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

/** Every field of an object, those of inner objects with dotted names and those of lists with `[]`. */
function fieldsOf(schema: JsonSchema, linkTo: FieldContext['linkTo'] = () => undefined, prefix = ''): readonly Field[] {
  const merged = mergeVariants(schema);
  return Object.entries(merged.properties ?? {}).flatMap(([name, given]) => {
    const { inner, isNullable } = withoutNull(given);
    const path = `${prefix}${name}`;
    const field: Field = { path, schema: inner, isRequired: merged.required?.includes(name) === true, isNullable };
    const item = inner.type === 'array' ? inner.items : undefined;
    const object = item ?? inner;
    if (isLinked(object, linkTo) || Object.keys(mergeVariants(object).properties ?? {}).length === 0) return [field];
    return [field, ...fieldsOf(object, linkTo, item === undefined ? `${path}.` : `${path}[].`)];
  });
}

/** Whether an object, or each of its forms, is described elsewhere. */
function isLinked(schema: JsonSchema, linkTo: NonNullable<FieldContext['linkTo']>): boolean {
  if (linkTo(schema) !== undefined) return true;
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  return variants.length > 0 && variants.every((each) => isLinked(each, linkTo));
}

/** The table of an object's fields. */
export function fieldTable(schema: JsonSchema, context: FieldContext): string {
  const { gaps, what, find, words, linkTo, anchor = () => '', without = [] } = context;
  const fields = fieldsOf(schema, linkTo).filter(({ path }) => !without.includes(path));
  return table(
    ['Field', 'Type', 'Meaning'],
    fields.map((field) => {
      const { path, schema: own, isRequired } = field;
      const said = wordsFor(words, path, find) || own.description;
      const preset = own.default === undefined ? '' : ` Default: ${code(JSON.stringify(own.default))}.`;
      return [
        `${anchor(path)}${code(`${path}${isRequired ? '' : '?'}`)}`,
        typeOf(field, linkTo),
        `${gaps.require(said, `${what}: ${path}`)}${preset}`,
      ];
    }),
  );
}

/** The type of a field, in words where a type alone says too little. */
export function typeOf({ schema, isNullable }: Field, linkTo: FieldContext['linkTo'] = () => undefined): string {
  const text = schemaText(schema, linkTo);
  return isNullable ? `${text} or ${code('null')}` : text;
}

function schemaText(schema: JsonSchema, linkTo: NonNullable<FieldContext['linkTo']>): string {
  const link = linkTo(schema);
  if (link !== undefined) return link;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((each) => code(JSON.stringify(each))).join(', ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map((each) => schemaText(each, linkTo)))].join(' or ');
  if (schema.type === 'array') {
    const size = range(schema.minItems, schema.maxItems, 'items');
    return `list of ${schema.items === undefined ? 'anything' : schemaText(schema.items, linkTo)}${size}`;
  }
  if (schema.type === 'string') {
    if (schema.format === 'date-time') return 'instant';
    return `string${range(schema.minLength, schema.maxLength, 'characters')}`;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return `${schema.type}${range(schema.minimum, schema.maximum, '')}`;
  }
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `object whose values are ${schemaText(schema.additionalProperties, linkTo)}`;
  }
  return schema.type ?? 'anything';
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const tail = unit === '' ? '' : ` ${unit}`;
  const number = (value: number): string => value.toLocaleString('en-US');
  if (most !== undefined && most < Number.MAX_SAFE_INTEGER) {
    return least === undefined ? `, at most ${number(most)}${tail}` : `, ${number(least)} to ${number(most)}${tail}`;
  }
  return least === undefined || (unit !== '' && least <= 1) ? '' : `, at least ${number(least)}${tail}`;
}

/** Objects that can have one of several forms become one with every field; what only some have is optional. */
function mergeVariants(schema: JsonSchema): JsonSchema {
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties !== undefined);
  if (variants.length === 0) return schema;
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const forms = variants.flatMap(({ properties = {} }) => properties[name] ?? []);
    const constants = forms.flatMap((each) => (each.const === undefined ? [] : [each.const]));
    const first = forms[0] ?? {};
    return [name, constants.length > 1 ? { enum: [...new Set(constants)] } : first] as const;
  });
  const required = names.filter((name) => variants.every((each) => each.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function withoutNull(schema: JsonSchema): { readonly inner: JsonSchema; readonly isNullable: boolean } {
  const variants = schema.anyOf ?? schema.oneOf;
  const rest = variants?.filter(({ type }) => type !== 'null');
  if (variants === undefined || rest === undefined || rest.length === variants.length) {
    return { inner: schema, isNullable: false };
  }
  const described = schema.description === undefined ? {} : { description: schema.description };
  const [only] = rest;
  const inner = rest.length === 1 && only !== undefined ? { ...only, ...described } : { anyOf: rest, ...described };
  return { inner, isNullable: true };
}

/** What the comment of a member says, found by its dotted path. */
function wordsFor(declaration: DeclarationReflection | undefined, path: string, find: FindEntry): string {
  let owners = declaration === undefined ? [] : [declaration];
  let found: DeclarationReflection | undefined;
  for (const name of path.replaceAll('[]', '').split('.')) {
    found = owners.flatMap(({ children = [] }) => children).find((child) => child.name === name);
    owners = objectsIn(found?.type);
  }
  if (found === undefined) return '';
  const own = summaryText(found.comment, find);
  return own === '' ? aboutType(found.type, find) : own;
}

function objectsIn(type: Type | undefined): DeclarationReflection[] {
  const some = type as SomeType | undefined;
  if (some?.type === 'array') return objectsIn(some.elementType);
  if (some?.type === 'union') return some.types.flatMap((each) => objectsIn(each));
  if (some?.type === 'reflection') return [some.declaration];
  if (some?.type !== 'reference' || some.reflection === undefined) return [];
  const target = some.reflection as DeclarationReflection;
  return target.children === undefined ? objectsIn(target.type) : [target];
}
