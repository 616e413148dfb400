/** The configuration of a property of the directory: how a change turns its text into the next one, and what is shown of it. */
import {
  type Author,
  MAX_PROPERTY_BYTES,
  type PropertyFields,
  type PropertyIssue,
  type PropertyResource,
  parsePropertyFields,
} from '@innkeep/core/contract';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { Actor } from './actor.ts';
import { changedFields, mergePatch } from './configuration-change.ts';
import { findUnusableSecret } from './webhook-secrets.ts';

type Json = Readonly<Record<string, unknown>>;

/** What an operator wants of a configuration. */
export type PropertyEdit =
  | { readonly action: 'replaced' | 'changed'; readonly json: Json }
  | { readonly action: 'removed' }
  | { readonly action: 'rolled_back'; readonly version: number };

/** A change of a configuration, and who makes it. */
export interface PropertyChange {
  readonly edit: PropertyEdit;
  readonly by: Actor;
  /** Versions that the caller allows it to have; null: it must not exist; undefined: nothing was said. */
  readonly expected: readonly number[] | '*' | null | undefined;
  /** Whether the hotel may move real money. */
  readonly mayBeLive: boolean;
}

/** A property's configuration as its object gives it away: the fields as JSON, or why they cannot be used. */
export type StoredConfiguration = { readonly version: number; readonly isRemoved: boolean } & (
  | { readonly fields: string }
  | { readonly issue: PropertyIssue }
);

/** What an operator may see of a configuration. */
export type ShownConfiguration = Pick<
  PropertyResource,
  'displayName' | 'livemode' | 'settings' | 'secrets' | 'problem'
>;

/** What an operator sees of a property. Instants in milliseconds. */
export interface ShownProperty extends ShownConfiguration {
  readonly isRemoved: boolean;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly updatedBy: Author;
}

/** What a change makes of a configuration. */
export interface NextConfiguration {
  /** Its JSON; null when it stays the same text. */
  readonly text: string | null;
  /** Paths of the fields that differ; null when nothing changes at all. */
  readonly fields: readonly string[] | null;
  /** Hashes of its keys. */
  readonly merchantKeys: readonly string[];
}

/** How many mistakes are reported at once: enough for a configuration that lacks all it needs. */
const MAX_ISSUES = 20;

const NO_LIVEMODE = { detail: 'This property is live, and the platform of this key has no livemode' };

const NO_BASE64 = 'is not Base64 after whsec_: copy all of it, or make one: echo "whsec_$(openssl rand -base64 32)"';

const REMOVED = {
  detail: 'This property was removed: roll it back to a version that is kept, or PUT its whole configuration',
};

/** Why a configuration that is stored cannot be used, when it is not its fields. */
export const NOT_OPENED: PropertyIssue = {
  field: '',
  message: 'cannot be opened: it is no longer kept, or SEALING_KEYS no longer has the key that sealed it',
};

/**
 * The configuration after an edit. `before` and `copied` are undefined where there is none that can be opened; `copied` is
 * that of the version to go back to.
 */
export function nextConfiguration({
  before,
  copied,
  edit,
  wasRemoved,
  mayBeLive,
}: {
  readonly before: unknown;
  readonly copied: unknown;
  readonly edit: PropertyEdit;
  readonly wasRemoved: boolean;
  readonly mayBeLive: boolean;
}): Outcome<NextConfiguration> {
  if (!mayBeLive && isLive(before)) return refuse('forbidden', NO_LIVEMODE);
  if (edit.action === 'removed') {
    return ok({ text: null, fields: wasRemoved ? null : [], merchantKeys: [] });
  }
  if (edit.action === 'rolled_back' && copied === undefined) {
    return refuse('invalid_request', { detail: 'There is no such version, or it is no longer kept', param: 'version' });
  }
  if (edit.action === 'changed' && wasRemoved) return refuse('invalid_request', REMOVED);
  if (edit.action !== 'replaced' && before === undefined) {
    return refuse('invalid_request', {
      detail: `The configuration ${NOT_OPENED.message}: PUT all of it`,
      param: 'body',
    });
  }
  const json =
    edit.action === 'rolled_back'
      ? // The present keys are kept: what was revoked or narrowed stays so.
        mergePatch(copied, { merchantKeys: (Object(before) as Json).merchantKeys })
      : edit.action === 'replaced'
        ? edit.json
        : mergePatch(before, edit.json);
  // What is stored already stays, so that the rest can be changed.
  const written = 'json' in edit ? Object.keys(edit.json) : [];
  const parsed = parsePropertyFields(json, written);
  if ('issues' in parsed) {
    const detail = parsed.issues
      .slice(0, MAX_ISSUES)
      .map(({ field, message }) => `${field || 'The configuration'} ${message}`)
      .join('; ');
    return refuse('invalid_request', { detail, param: parsed.issues[0].field || 'body' });
  }
  const unusable = written.includes('webhooks') ? findUnusableSecret(parsed.fields.webhooks) : undefined;
  if (unusable !== undefined) return refuse('invalid_request', { detail: `${unusable} ${NO_BASE64}`, param: unusable });
  const text = JSON.stringify(json);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_PROPERTY_BYTES) {
    const detail = `The configuration has ${bytes} bytes of JSON with this change; it may have at most ${MAX_PROPERTY_BYTES}`;
    return refuse('invalid_request', { detail, param: 'body' });
  }
  if (parsed.fields.livemode && !mayBeLive) {
    const detail = 'livemode must be false: the platform of this key has no livemode';
    return refuse('invalid_request', { detail, param: 'livemode' });
  }
  const moved = edit.action === 'changed' ? findMovedSecret(before, parsed.fields, edit.json) : undefined;
  if (moved !== undefined) {
    const detail = `${moved} must be given again with a new origin: what is stored is sent to the old ones only`;
    return refuse('invalid_request', { detail, param: moved });
  }
  const fields = changedFields(before ?? {}, json);
  const merchantKeys = parsed.fields.merchantKeys.map(({ sha256 }) => sha256);
  const isSame = fields.length === 0 && !wasRemoved && before !== undefined;
  return ok({ text, fields: isSame ? null : fields, merchantKeys });
}

/** A secret that would be sent to another origin, or whose token would: whoever names that origin may not know the secret. */
function findMovedSecret(before: unknown, after: PropertyFields, { password, gateway }: Json): string | undefined {
  const { baseUrl, allowedOrigins = [] } = Object(before) as Partial<PropertyFields>;
  const isMoved = originOf(after.baseUrl) !== originOf(baseUrl);
  const known = [baseUrl, ...allowedOrigins].map(originOf);
  const isTrusted = (origin: string): boolean => known.includes(originOf(origin));
  if (password === undefined && (isMoved || !after.allowedOrigins.every(isTrusted))) return 'password';
  if (!isMoved || after.gateway === undefined) return undefined;
  const { apiKey, productId } = Object(gateway) as Json;
  if (apiKey === undefined) return 'gateway.apiKey';
  const isKept = after.gateway.productId !== undefined && (Object(productId) as Json).value === undefined;
  return isKept ? 'gateway.productId' : undefined;
}

function originOf(address: unknown): string | undefined {
  return URL.parse(String(address))?.origin;
}

/** What an operator sees of a configuration's JSON; undefined: it cannot be opened. */
export function showConfiguration(json: unknown, keyUses: Readonly<Record<string, number>> = {}): ShownConfiguration {
  const parsed = json === undefined ? { issues: [NOT_OPENED] as const } : parsePropertyFields(json);
  if ('fields' in parsed) return showFields(parsed.fields, keyUses);
  const [{ field, message }] = parsed.issues;
  return { displayName: null, livemode: null, settings: null, secrets: [], problem: { field, message } };
}

/** Without secrets, and with only the host of an address that may hold one. `keyUses`: when each key was last used, by its hash. */
export function showFields(fields: PropertyFields, keyUses: Readonly<Record<string, number>> = {}): ShownConfiguration {
  const { password: _, previousPassword, webhooks, gateway, ...settings } = fields;
  return {
    displayName: fields.displayName,
    livemode: fields.livemode,
    settings: {
      ...settings,
      merchantKeys: settings.merchantKeys.map(withLastUse(keyUses)),
      webhooks: webhooks.map(({ url }) => ({ host: new URL(url).host })),
      gateway: gateway === undefined ? null : { apiKeyIn: gateway.apiKeyIn, allow: gateway.allow },
    },
    secrets: [
      'password',
      ...(previousPassword === undefined ? [] : ['previousPassword']),
      ...webhooks.map((_webhook, index) => `webhooks.${index}.secret`),
      ...(gateway === undefined ? [] : ['gateway.apiKey']),
      ...(gateway?.productId === undefined ? [] : ['gateway.productId']),
    ],
    problem: null,
  };
}

/** Adds to a key when it was last used. */
export function withLastUse(keyUses: Readonly<Record<string, number>>) {
  return <Key extends { readonly sha256: string }>(key: Key) => {
    const at = keyUses[key.sha256];
    return { ...key, lastUsedAt: at === undefined ? null : new Date(at).toISOString() };
  };
}

function isLive(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'livemode' in json && json.livemode === true;
}
