import * as v from 'valibot';

/** Gives a schema its name, its words and an example for the OpenAPI documents. Its types stay as they are. */
// @__NO_SIDE_EFFECTS__
export function component<const Schema extends v.GenericSchema>(
  ref: string,
  schema: Schema,
  { description, example }: { readonly description: string; readonly example?: v.InferInput<Schema> },
): Schema {
  const examples = example === undefined ? {} : { examples: [example] };
  // A pipe with metadata parses like the schema alone. Its own type would repeat every field in the declarations.
  return v.pipe(schema, v.metadata({ ref, description, ...examples })) as unknown as Schema;
}

/** Takes shared fields from the file that has them: the typings of another file would lose their texts. */
export type WithShared<Resource, Shared> = Shared & Omit<Resource, keyof Shared>;

/** The type of a schema, for an interface of its own: the typings of other files have that by its name, and so the texts of the fields. */
export type TypeOf<Schema> = Schema;

/** What a schema of these entries gives. */
export type OutputOf<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

/** One of the listed values, or one that a later version adds. */
// @__NO_SIDE_EFFECTS__
export function openPicklist<const Values extends readonly string[]>(
  values: Values,
): v.GenericSchema<Values[number] | (string & {})> {
  return v.union([v.picklist(values), v.string()]);
}
