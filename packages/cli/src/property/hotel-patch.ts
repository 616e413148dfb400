/** `field=value` words as a JSON merge patch of a hotel's configuration: typed as the contract says, and never with a secret in a word. */
import { type PropertyPatch, PropertySchema } from '@innkeep/core/contract';
import { usageError } from '../failures/cli-error.ts';

/** Fields whose whole value is a secret, or may hold one, and the environment variable that can have it. */
export const SECRET_FIELDS: Readonly<Record<string, string | undefined>> = {
  password: 'INNKEEP_UPSTREAM_PASSWORD',
  previousPassword: 'INNKEEP_UPSTREAM_PREVIOUS_PASSWORD',
  'gateway.apiKey': 'INNKEEP_GATEWAY_API_KEY',
  gateway: undefined,
  'gateway.productId': undefined,
  webhooks: undefined,
};

/** Where the values of fields come from besides the command line. */
export interface PatchSources {
  /** Text of a file, or of standard input for `-`. */
  readonly readFile: (path: string, field: string) => Promise<string>;
  /** A secret from its environment variable, else from the person at the terminal. */
  readonly readSecret: (field: string, variable: string) => Promise<string>;
}

/** The part of a schema that says which kind of value it takes. */
interface Kind {
  readonly type: string;
  readonly wrapped?: Kind;
  /** What a list holds. */
  readonly item?: Kind;
}

/**
 * Makes the patch. `name=value` is read as the field's kind wants it, `name=@file` from a file, and `name=` of a secret from
 * its variable or a prompt.
 *
 * @throws `usage` naming the word that is wrong
 */
export async function parseHotelPatch(
  { words, unset }: { readonly words: readonly string[]; readonly unset: readonly string[] },
  sources: PatchSources,
): Promise<PropertyPatch> {
  const patch: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const path = at < 1 ? word : word.slice(0, at);
    if (at < 1) throw usageError(`“${path}” is not field=value.`, 'For instance: origins=https://hotel.example');
    const kind = kindOf(path);
    put(patch, path, await readValue(path, { text: word.slice(at + 1), kind }, sources));
  }
  for (const path of unset) {
    kindOf(path);
    put(patch, path, null);
  }
  if (Object.keys(patch).length > 0) return patch;
  throw usageError('There is nothing to change.', 'Write field=value, or --unset field.');
}

/** `string`, `number`, `boolean`, `array`, `objects`, `record`, `strict_object`, or `amount`, a part of a `record`. */
function kindOf(path: string): string {
  const [name = '', ...rest] = path.split('.');
  const entries: Readonly<Record<string, Kind>> = PropertySchema.entries;
  const kind = Object.hasOwn(entries, name) ? bare(entries[name]) : undefined;
  if (kind === undefined) {
    const known = Object.keys(entries);
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
    throw usageError(
      `“${name}” is not a field of a hotel.`,
      meant === undefined ? `Fields: ${known.join(', ')}` : `Did you mean ${meant}?`,
    );
  }
  if (rest.length === 0) return kind;
  if (rest.length === 1 && rest[0] !== '') {
    if (kind === 'record') return 'amount';
    if (path === 'gateway.allow') return 'array';
    if (kind === 'strict_object') return path === 'gateway.productId' ? kind : 'string';
  }
  throw usageError(`“${path}” cannot be changed by itself.`, `Write all of ${name}: ${name}=@file.json`);
}

function bare(kind: Kind | undefined): string | undefined {
  if (kind?.wrapped !== undefined) return bare(kind.wrapped);
  return kind?.type === 'array' && bare(kind.item) === 'strict_object' ? 'objects' : kind?.type;
}

async function readValue(
  path: string,
  { text, kind }: { readonly text: string; readonly kind: string },
  sources: PatchSources,
): Promise<unknown> {
  const isFile = text.startsWith('@');
  if (Object.hasOwn(SECRET_FIELDS, path) && !isFile) {
    const variable = SECRET_FIELDS[path];
    if (text === '' && variable !== undefined) return sources.readSecret(path, variable);
    throw usageError(
      `${path} holds a secret, which is never an argument. Nothing was changed.`,
      variable === undefined
        ? `Write it into a file that only you can read: ${path}=@file.json (- is standard input)`
        : `Write ${path}=@file (- is standard input), or ${path}= to take it from ${variable} or to be asked.`,
      'Your shell history may hold this one now: replace it if others can read that.',
    );
  }
  const given = isFile ? (await sources.readFile(text.slice(1), path)).trim() : text;
  // A command that failed leaves an empty file: it is no wish to remove what is there.
  if (isFile && given === '') throw usageError(`${path}: the file is empty. Nothing was changed.`);
  switch (kind) {
    case 'boolean':
      if (given === 'true' || given === 'false') return given === 'true';
      throw usageError(`${path} must be true or false.`);
    case 'number':
      if (/^-?\d+(?:\.\d+)?$/.test(given)) return Number(given);
      throw usageError(`${path} must be a number.`);
    case 'amount':
      if (/^\d+$/.test(given)) return Number(given);
      throw notInMinorUnits(path);
    case 'array':
      if (!given.startsWith('[')) return given === '' ? [] : given.split(',').map((each) => each.trim());
      return json(path, given);
    case 'objects': {
      const list = json(path, given);
      if (Array.isArray(list)) return list;
      throw usageError(`${path} must be a JSON list.`, 'To remove all, write [] into the file.');
    }
    case 'record':
      // JSON would read 5000.00 as 5000 minor units.
      if (/\d\.\d/.test(given)) throw notInMinorUnits(path);
      return json(path, given);
    case 'strict_object':
      return json(path, given);
    default:
      return given;
  }
}

/** The error for an amount that may have been meant in units of the currency. */
export function notInMinorUnits(path: string): Error {
  return usageError(`${path} is in minor units, such as 500000 for 5000.00 EUR.`);
}

function json(path: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw usageError(`${path} is not JSON.`, 'Check brackets, commas and quotes.');
  }
  // A merge patch would remove the field.
  if (value === null) throw usageError(`${path} must not be null.`, `To remove it: --unset ${path}`);
  return value;
}

function put(patch: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', inner] = path.split('.');
  const before = patch[name];
  if (inner === undefined ? before !== undefined : Object.hasOwn(Object(before), inner)) {
    throw usageError(`${path} was given twice.`);
  }
  if (inner !== undefined && before !== undefined && (typeof before !== 'object' || before === null)) {
    throw usageError(`${name} was given twice.`);
  }
  patch[name] = inner === undefined ? value : { ...Object(before), [inner]: value };
}
