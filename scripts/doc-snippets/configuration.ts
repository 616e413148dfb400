// Prevents: a configuration that a reader copies and that the proxy, or the tool it is for, refuses.
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { parseProperty } from '../../packages/edge-proxy/dist/config/properties.js';
import { parseEnvFile } from '../../packages/edge-proxy/scripts/env-file.ts';
import type { Block } from '../doc-snippets.ts';
import { lineAt, type Problem } from '../report-problems.ts';
import { ROOT, readJson } from '../workspace.ts';
import type { ProxyApi } from './proxy-api.ts';

/** A hotel that has everything; an example that shows a part of one is put into it. */
const HOTEL: Readonly<Record<string, unknown>> = {
  displayName: 'Hotel Aurora',
  baseUrl: 'https://pay.example',
  customerId: '1234',
  username: 'u',
  password: 'p',
  hotelID: '1',
  hotelIDType: 'x',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor',
  providerDirect: 'x',
  providerHosted: 'x',
  origins: ['https://hotel.example'],
  merchantKeys: [{ id: 'web', sha256: '0'.repeat(64), scopes: ['checkout'] }],
};

/** Fields by which a part of a hotel's configuration is recognised. */
const HOTEL_FIELDS = ['merchantKeys', 'webhooks', 'origins', 'amountUnit', 'providerHosted', 'maxAmount', 'gateway'];

const WRANGLER_FIELDS = ['compatibility_date', 'durable_objects', 'kv_namespaces', 'routes', 'vars', 'migrations'];

/** What an ellipsis stands for, where the form matters. */
const FILLED: Readonly<Record<string, string>> = {
  sha256: '0'.repeat(64),
  secret: `whsec_${'A'.repeat(32)}`,
  apiKey: '0'.repeat(40),
};

/** JSON, and what the proxy or wrangler says about it when it is theirs. An excerpt may leave the outer braces out. */
export function problemsOfJson(block: Block, api: ProxyApi): readonly Problem[] {
  const text = /^\s*"/.test(block.code) ? `{${block.code}\n}` : block.code;
  const errors: ParseError[] = [];
  const isStrict = block.language === 'json';
  const value: unknown = parse(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  const problem = (line: number, message: string): Problem => ({ file: block.file, line, message });
  if (errors.length > 0) {
    return errors.map(({ error, offset }) =>
      problem(block.line + lineAt(text, offset) - 1, `JSON: ${printParseErrorCode(error)}`),
    );
  }
  const message = problemOfHotel(value) ?? problemOfWrangler(value) ?? api.problemOfResource(value);
  return message === undefined ? [] : [problem(block.line, message)];
}

/** Lines of a `.dev.vars` or `.env` file. */
export function problemsOfEnv(block: Block): readonly Problem[] {
  return block.code.split('\n').flatMap((line, at) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    const message = problemOfLine(text);
    return message === undefined ? [] : [{ file: block.file, line: block.line + at, message }];
  });
}

function problemOfLine(text: string): string | undefined {
  const [[name, value] = []] = Object.entries(parseEnvFile(text));
  if (name === undefined || value === undefined) return 'is no NAME=value';
  if (name.startsWith('PROPERTY_')) {
    try {
      return value === '…' ? undefined : problemOfHotel(JSON.parse(value));
    } catch {
      return `${name} is no JSON; a part that is left out stands in a string: "…"`;
    }
  }
  const isAddress = name === 'PUBLIC_URL' || name === 'INNKEEP_ENDPOINT' || name.endsWith('_URL');
  return isAddress && !URL.canParse(value) ? `${name} is no address` : undefined;
}

function problemOfHotel(value: unknown): string | undefined {
  if (!HOTEL_FIELDS.some((field) => Object.hasOwn(Object(value), field))) return undefined;
  const property = parseProperty('example', JSON.stringify({ ...HOTEL, ...Object(fill(value, '')) }));
  return property.broken ? `configuration of a hotel: ${property.field} ${property.message}` : undefined;
}

/** The value with something in the place of every ellipsis. */
function fill(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value.includes('…') ? (FILLED[key] ?? 'x') : value;
  if (Array.isArray(value)) return value.map((item) => fill(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, name)]));
}

let wranglerSchema: Validator | undefined;

function problemOfWrangler(value: unknown): string | undefined {
  if (!WRANGLER_FIELDS.some((field) => Object.hasOwn(Object(value), field))) return undefined;
  wranglerSchema ??= new Validator(
    // Comes with wrangler.
    readJson(join(ROOT, 'packages/edge-proxy/node_modules/wrangler/config-schema.json')) as object,
    '7',
  );
  const { valid, errors } = wranglerSchema.validate(value);
  const error = errors.at(-1);
  return valid || error === undefined ? undefined : `wrangler configuration: ${error.instanceLocation} ${error.error}`;
}
