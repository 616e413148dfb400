import fc from 'fast-check';

/** What this file reads of a JSON schema. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
}

/** What a request's values are made of. */
export interface Sources {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Values worth using for a field of this name, such as ids that exist. */
  readonly known: Readonly<Record<string, readonly unknown[] | undefined>>;
}

const ANYTHING = fc.jsonValue({ maxDepth: 2 });

/** Values that a schema describes, and now and then one that it does not. */
export function valuesOf(schema: JsonSchema, sources: Sources, name = ''): fc.Arbitrary<unknown> {
  const known = sources.known[name] ?? [];
  return fc.oneof(
    { weight: 30, arbitrary: described(schema, sources) },
    ...(known.length === 0 ? [] : [{ weight: 60, arbitrary: fc.constantFrom(...known) }]),
    { weight: 1, arbitrary: ANYTHING },
  );
}

function described(schema: JsonSchema, sources: Sources): fc.Arbitrary<unknown> {
  const { type, minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (schema.$ref !== undefined) return described(sources.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, sources);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => described(option, sources)));
  if (type === 'string') return texts(schema);
  if (type === 'integer')
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100_000) }),
      fc.constantFrom(minimum, maximum),
    );
  if (type === 'boolean') return fc.boolean();
  if (type === 'object') return objects(schema, sources);
  return ANYTHING;
}

/** By their schema: what a pattern matches is costly to find out. */
const textsOf = new WeakMap<JsonSchema, fc.Arbitrary<string>>();

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const made = textsOf.get(schema) ?? newTexts(schema);
  textsOf.set(schema, made);
  return made;
}

function newTexts({ pattern, format, minLength = 0, maxLength = 100 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date')
    return fc
      .date({ min: new Date('2026-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  // A pattern that only forbids characters says little about a text worth sending.
  if (pattern === undefined || pattern.startsWith('^[^')) return fc.string({ unit: 'grapheme', minLength, maxLength });
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
}

function objects(schema: JsonSchema, sources: Sources): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames = { type: 'string' },
    maxProperties = 5,
  } = schema;
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(texts(propertyNames), described(additionalProperties, sources) as fc.Arbitrary<string>, {
      maxKeys: maxProperties,
    });
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(field, sources, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}
