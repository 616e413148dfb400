/** Keys of a hotel's servers, and of a platform's: making and revoking them works alike. */
import { PLATFORM_SCOPES, type PlatformScope, SCOPE_WORDS, SCOPES } from '@innkeep/core/contract';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { given } from '../input/given.ts';
import { powersBeyondSite, SITE_SCOPES } from '../property/key-scopes.ts';
import { type FreshKey, makeKey } from '../property/secrets.ts';
import { moneyText } from '../terminal/money-text.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { whenItCounts } from './hotel-target.ts';
import { parseInstant } from './instant.ts';
import {
  HOTEL_OPTIONS,
  type OpenSettings,
  openHotel,
  openPlatform,
  PLATFORM_OPTIONS,
  type SettingsFlags,
  type StoredKey,
} from './open-settings.ts';
import { maxReversalOption } from './shared-options.ts';

/** What a new key may do, until when and from where. */
export interface KeyFlags {
  readonly keyId: string;
  readonly scope: readonly string[];
  readonly expiresAt?: string;
  readonly allowFrom?: readonly string[];
  readonly maxReversal?: Readonly<Record<string, number>>;
}

/** What a new key may do, and which settings get it. */
export interface NewKeyFlags extends SettingsFlags, KeyFlags {
  readonly properties?: readonly string[];
}

/** Options of a new key with some of these scopes. */
export function keyOptions(scopes: readonly PlatformScope[]): readonly Option[] {
  return [
    new Option('--scope <scope...>', 'what the key may do').choices(scopes).default(SITE_SCOPES),
    new Option('--expires-at <day>', 'the key is refused from this day or instant on, UTC').argParser(parseInstant),
    new Option('--allow-from <address...>', 'the only addresses or ranges that may use it, such as 198.51.100.0/24'),
    maxReversalOption('how much its reversals may refund in a day of a hotel'),
  ];
}

/** What these scopes mean, a line each. */
function scopesInWords(scopes: readonly PlatformScope[]): string {
  return ['A key with a scope can:', ...scopes.map((scope) => `${scope}: ${SCOPE_WORDS[scope]}`)].join('\n');
}

/** A key as settings hold it. @throws `usage` when it would have ended already */
export function newKey(
  context: CommandContext,
  { keyId, scope, expiresAt, allowFrom, maxReversal }: KeyFlags,
  { sha256 }: FreshKey,
): StoredKey {
  const now = context.io.now();
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()) {
    throw usageError(`--expires-at: ${expiresAt} is in the past, so nobody could use the key. Nothing was changed.`);
  }
  return {
    id: keyId,
    sha256,
    scopes: scope,
    createdAt: now.toISOString(),
    ...given({ expiresAt, allowFrom: allowFrom && [...allowFrom], maxReversal }),
  };
}

/** What a key may do, until when and from where, in one line. */
export function keyInWords(key: StoredKey & { readonly lastUsedAt?: string | null }): string {
  return [
    `${key.id}: ${key.scopes.join(', ')}`,
    ...(key.properties === undefined ? [] : [`for ${key.properties.join(', ')}`]),
    ...(key.allowFrom === undefined ? [] : [`from ${key.allowFrom.join(', ')}`]),
    ...(key.maxReversal === undefined ? [] : [`refunds ${limitText(key.maxReversal)} a day at most`]),
    ...(key.createdAt === undefined ? [] : [`made ${key.createdAt}`]),
    ...(key.expiresAt === undefined ? [] : [`until ${key.expiresAt}`]),
    ...(key.lastUsedAt === undefined ? [] : [key.lastUsedAt === null ? 'not used yet' : `last used ${key.lastUsedAt}`]),
  ].join('; ');
}

function limitText(limit: Readonly<Record<string, number>>): string {
  return Object.entries(limit)
    .map(([currency, value]) => moneyText({ value, currency }))
    .join(', ');
}

export const PLATFORM_KEY_OPTIONS: readonly Option[] = [
  ...keyOptions(PLATFORM_SCOPES),
  new Option('--properties <pattern...>', 'for which hotels: ids, prefixes such as alpine_*, or * for all').default([
    '*',
  ]),
];

/** Whose keys they are. */
interface KeyOwner {
  /** Its name in the data that is printed. */
  readonly noun: 'property' | 'platform';
  readonly command: 'hotel' | 'platform';
  readonly kind: 'sk' | 'pk';
}

const MERCHANT: KeyOwner = { noun: 'property', command: 'hotel', kind: 'sk' };
const PLATFORM: KeyOwner = { noun: 'platform', command: 'platform', kind: 'pk' };

/** Makes a platform key and shows it, once. */
export function addPlatformKey(context: CommandContext, open: OpenSettings, flags: NewKeyFlags): Promise<ExitCode> {
  return addKey(context, PLATFORM, open, flags);
}

/** Warns when a new key may do more than a site needs: sites are where keys are stolen. */
export async function warnOfPowers(context: CommandContext, scopes: readonly string[]): Promise<void> {
  const powers = powersBeyondSite(scopes);
  if (powers === undefined) return;
  await context.note(
    `This is more than a site needs: the key can also ${powers}. Make a separate key for that, and keep it off the site’s server.`,
  );
}

async function addKey(
  context: CommandContext,
  owner: KeyOwner,
  open: OpenSettings,
  flags: NewKeyFlags,
): Promise<ExitCode> {
  const { keyId, scope, properties } = flags;
  const { id, isLive, keys } = open;
  const isHotel = owner.noun === 'property';
  if (keys.some((key) => key.id === keyId)) {
    throw usageError(
      `${id} has a key “${keyId}” already. Nothing was changed.`,
      'Choose another --key-id.',
      `If you have lost the key, add another one, then: innkeep ${owner.command} key revoke ${id} ${keyId}`,
    );
  }
  const fresh = makeKey(owner.kind, context.io.randomBytes, open);
  const { secretKey, sha256 } = fresh;
  const key = { ...newKey(context, flags, fresh), ...(properties && { properties }) };
  const saved = await open.save({ keys: [...keys, key] });
  await context.answer(
    {
      [owner.noun]: id,
      livemode: isLive,
      [isHotel ? 'merchantKey' : 'platformKey']: { ...key, secretKey },
      ...saved,
    },
    detailList([
      [isHotel ? 'Hotel' : 'Platform', `${id} (${isLive ? 'live' : 'test'})`],
      [isHotel ? 'Merchant key' : 'Platform key', secretKey],
      ['Its SHA-256', sha256],
      ['Scopes', scope.join(', ')],
      ['Hotels', properties?.join(', ')],
      ['Expires', key.expiresAt],
      ['Only from', key.allowFrom?.join(', ')],
      ['Refunds a day', key.maxReversal && limitText(key.maxReversal)],
      ['Written to', saved.file],
    ]),
  );
  await warnOfPowers(context, scope);
  const [what, whose] = isHotel ? ['merchant key', 'the hotel’s'] : ['platform key', 'your'];
  await context.note(
    `The ${what} is shown only once. Keep it where ${whose} server reads its secrets.\n${whenItCounts(saved)}`,
  );
  return EXIT.ok;
}

async function revokeKey(
  context: CommandContext,
  { noun, command }: KeyOwner,
  { id, keys, save }: OpenSettings,
  keyId: string,
): Promise<ExitCode> {
  const left = keys.filter((key) => key.id !== keyId);
  const names = left.map((key) => key.id);
  if (left.length === keys.length) throw usageError(`${id} has no key “${keyId}”.`, `It has: ${names.join(', ')}`);
  if (left.length === 0) {
    throw usageError(
      `“${keyId}” is the only key of ${id}. Nothing was changed.`,
      `Add the next one first: innkeep ${command} key add ${id} --key-id …`,
      noun === 'property'
        ? `To remove the hotel altogether: innkeep hotel remove ${id}`
        : `To remove the platform altogether, remove PLATFORM_${id.toUpperCase()} from the deployment.`,
    );
  }
  const saved = await save({ keys: left });
  await context.answer(
    { [noun]: id, revoked: keyId, left: names, ...saved },
    detailList([
      ['Revoked', keyId],
      ['Left', names.join(', ')],
      ['Written to', saved.file],
    ]),
  );
  await context.note(whenItCounts(saved));
  return EXIT.ok;
}

const KEY_ID = new Option('--key-id <name>', 'name of the key, in logs and in the history').makeOptionMandatory();

const FROM_SECRET = new Option(
  '--from <file>',
  'the hotel is a secret: its present settings as JSON, - for standard input',
)
  .implies({ deploy: true })
  .conflicts('env');

export const HOTEL_KEY_COMMANDS: CommandGroup = {
  name: 'key',
  summary: 'Merchant keys of a hotel',
  commands: [
    defineCommand<NewKeyFlags>({
      usage: 'add <id>',
      summary: 'Make another merchant key for a hotel',
      details: [
        'The key is shown only once: the proxy keeps its SHA-256. Existing keys go on working. The hotel is one of the directory; for one that is a secret, add --env or --from.',
        scopesInWords(SCOPES),
      ].join('\n'),
      options: [KEY_ID, ...keyOptions(SCOPES), ...HOTEL_OPTIONS, FROM_SECRET],
      examples: [
        "innkeep hotel key add aurora --key-id refunds --scope read reversals --max-reversal '500.00 EUR'",
        'innkeep hotel key add aurora --key-id web-2027 --scope checkout events',
        'innkeep hotel key add aurora --key-id auditor --scope read --expires-at 2030-04-01 --allow-from 198.51.100.0/24',
      ],
      run: async (context, [id = ''], flags) => addKey(context, MERCHANT, await openHotel(context, id, flags), flags),
    }),
    defineCommand<SettingsFlags>({
      usage: 'revoke <id> <key-id>',
      summary: 'Revoke a merchant key of a hotel',
      details:
        'For a hotel of the directory, the key is refused everywhere within five seconds. A hotel keeps at least one key: add the next one first.',
      options: [...HOTEL_OPTIONS, FROM_SECRET],
      examples: [
        'innkeep hotel key revoke aurora web',
        'innkeep hotel key revoke aurora web --from PROPERTY_AURORA.json',
      ],
      run: async (context, [id = '', keyId = ''], flags) =>
        revokeKey(context, MERCHANT, await openHotel(context, id, flags), keyId),
    }),
  ],
};

export const PLATFORM_KEY_COMMANDS: CommandGroup = {
  name: 'key',
  summary: 'Keys of a platform, which has many hotels',
  commands: [
    defineCommand<NewKeyFlags>({
      usage: 'add <platform>',
      summary: 'Make another key for a platform',
      details: [
        'The key is shown only once: only its SHA-256 is kept. Existing keys go on working.',
        scopesInWords(PLATFORM_SCOPES),
      ].join('\n'),
      options: [KEY_ID, ...PLATFORM_KEY_OPTIONS, ...PLATFORM_OPTIONS],
      examples: [
        "innkeep platform key add alpine --key-id support --scope properties --properties 'alpine_*'",
        'innkeep platform key add alpine --key-id desk --scope checkout --from PLATFORM_ALPINE.json --deploy',
      ],
      run: async (context, [id = ''], flags) =>
        addKey(context, PLATFORM, await openPlatform(context, id, flags), flags),
    }),
    defineCommand<object>({
      usage: 'list',
      summary: 'Show the keys of the platform that your key belongs to, and when each was last used',
      examples: ['innkeep platform key list', 'innkeep platform key list --json'],
      async run(context) {
        const keys = await (await context.platform()).keys.list({ signal: context.io.signal });
        return context.answer(keys, detailList(keys.data.map((key) => ['Platform key', keyInWords(key)])));
      },
    }),
    defineCommand<SettingsFlags>({
      usage: 'revoke <platform> <key-id>',
      summary: 'Revoke a key of a platform',
      details: 'A platform keeps at least one key: add the next one first.',
      options: PLATFORM_OPTIONS,
      examples: ['innkeep platform key revoke alpine deploy'],
      run: async (context, [id = '', keyId = ''], flags) =>
        revokeKey(context, PLATFORM, await openPlatform(context, id, flags), keyId),
    }),
  ],
};
