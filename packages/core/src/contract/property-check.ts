/** A property's JSON, checked: the fields of its schema, and whether they go together. */
import * as v from 'valibot';
import { isLoopbackHost } from '../values/web-address.ts';
import { isSecure, type PropertyFields, PropertySchema, StoredGatewaySchema, StoredNameSchema } from './property.ts';
import { ruleInWords } from './rule.ts';

/** Fields whose rules have become stricter: what is stored was taken, and stays readable. */
const STORED = { displayName: StoredNameSchema, gateway: v.optional(StoredGatewaySchema) };

/** A bad field of a property, in words that never quote its value: it may be a password. */
export interface PropertyIssue {
  /** Dotted path; empty when the whole is meant. */
  readonly field: string;
  /** What is wrong with it, such as `is missing`. */
  readonly message: string;
}

/** Everything that is wrong. */
export type PropertyIssues = readonly [PropertyIssue, ...PropertyIssue[]];

/**
 * Checks a property's fields and whether they go together.
 *
 * @param json - the parsed JSON
 * @param written - names of the fields that are being written; the others are read as they may be stored
 * @returns the fields with defaults filled in, or everything that is wrong
 */
export function parsePropertyFields(
  json: unknown,
  written: readonly string[] = [],
): { readonly fields: PropertyFields } | { readonly issues: PropertyIssues } {
  const stored = Object.entries(STORED).filter(([name]) => !written.includes(name));
  const schema: typeof PropertySchema = v.strictObject({ ...PropertySchema.entries, ...Object.fromEntries(stored) });
  const parsed = v.safeParse(schema, json, { abortPipeEarly: true });
  if (!parsed.success) return { issues: toIssues(parsed.issues) };
  const conflict = findConflict(parsed.output);
  return conflict === undefined ? { fields: parsed.output } : { issues: [conflict] };
}

/** What the library has found, in our words. */
export function toIssues([first, ...others]: readonly [
  v.BaseIssue<unknown>,
  ...v.BaseIssue<unknown>[],
]): PropertyIssues {
  return [toIssue(first), ...others.map(toIssue)];
}

/** A name of this form, or a place in a list, may be repeated; any other may be a card number or a password in the place of one. */
const FIELD_NAME = /^([a-z_-]{1,40}\d{0,3}|\d{1,2})$/i;

/** Valibot's own messages quote the value received, which may be a password: only ours are passed on, and harmless names. */
function toIssue(issue: v.BaseIssue<unknown>): PropertyIssue {
  const names = issue.path?.map(({ key }) => key) ?? [];
  // Only the last can be one that nobody knows.
  const isStrange = !FIELD_NAME.test(`${names.at(-1)}`);
  const field = (isStrange ? names.slice(0, -1) : names).join('.');
  if (issue.expected === 'never')
    return { field, message: isStrange ? 'has an unknown field' : 'is not a known field' };
  if (issue.received === 'undefined') return { field, message: 'is missing' };
  const isOurs = !issue.message.startsWith('Invalid ');
  return { field, message: isOurs ? issue.message : `must ${ruleInWords(issue)}` };
}

/**
 * Two fields that contradict each other. Plain http is for this machine only, and only where its consequences stay there.
 * Where real money moves, nothing of the payment service is on this machine, and no name is the sandbox's.
 */
function findConflict(fields: PropertyFields): PropertyIssue | undefined {
  const { livemode, baseUrl, webhooks, ...lists } = fields;
  if (livemode) {
    if (fields.localOrigins) {
      return { field: 'localOrigins', message: 'must be false in livemode: name each origin in origins' };
    }
    if (isLoopbackHost(new URL(baseUrl).hostname)) {
      return { field: 'baseUrl', message: 'must be the payment service’s https address in livemode, not this machine' };
    }
    for (const field of ['providerDirect', 'providerHosted'] as const) {
      if (!/^\s*sandbox_/i.test(fields[field])) continue;
      return { field, message: 'must be the vendor’s name in livemode; SANDBOX_… is the sandbox' };
    }
  }
  const mayUseHttp = new URL(baseUrl).protocol === 'http:';
  for (const field of ['allowedOrigins', 'viewOrigins'] as const) {
    const here = lists[field].findIndex((origin) => livemode && isLoopbackHost(new URL(origin).hostname));
    if (here >= 0) return { field: `${field}.${here}`, message: 'must not be this machine in livemode' };
    const at = lists[field].findIndex((origin) => !isSecure(new URL(origin), mayUseHttp));
    const message = 'must be https (loopback http only if baseUrl itself is loopback http)';
    if (at >= 0) return { field: `${field}.${at}`, message };
  }
  for (const field of ['origins', 'deskOrigins'] as const) {
    const at = lists[field].findIndex((origin) => !isSecure(new URL(origin), !livemode));
    const message = 'must be https (loopback http only while livemode is false)';
    if (at >= 0) return { field: `${field}.${at}`, message };
  }
  const hook = webhooks.findIndex(({ url }) => livemode && isLoopbackHost(new URL(url).hostname));
  if (hook < 0) return undefined;
  return { field: `webhooks.${hook}.url`, message: 'must not point to this machine in livemode' };
}
