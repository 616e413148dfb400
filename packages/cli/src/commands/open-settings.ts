/** The settings of a hotel or a platform, wherever they are kept, open for a change of their keys or webhooks. */
import {
  type MerchantKey,
  type PlatformInput,
  type PropertyInput,
  type PropertyIssue,
  parsePlatformFields,
} from '@innkeep/core/contract';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { CliError, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { parseJsonObject, readJsonObject } from '../input/read-input.ts';
import {
  describeIssue,
  parseProperty,
  parsePropertyId,
  requirePropertyId,
  secretNameOf,
} from '../property/property.ts';
import {
  countsAsSecret,
  DEFAULT_ENV_FILE,
  fileOptions,
  presentSecret,
  type TargetFlags,
  targetValues,
  type WrittenSettings,
  writeSecret,
} from './hotel-target.ts';
import { type StoredWebhook, webhooksOf } from './webhook-file.ts';

/** Flags that say where settings are, and where they go. */
export interface SettingsFlags extends Omit<TargetFlags, 'env'> {
  readonly env?: string;
  readonly from?: string;
}

/** A key as settings hold it. A platform's key says for which hotels it is. */
export type StoredKey = Omit<MerchantKey, 'scopes'> & {
  readonly scopes: readonly string[];
  readonly properties?: readonly string[] | undefined;
};

/** The part of settings that a command changes. */
export interface SettingsPart {
  readonly keys?: readonly StoredKey[];
  readonly webhooks?: readonly StoredWebhook[];
}

export interface OpenSettings extends Required<Omit<SettingsPart, 'webhooks'>> {
  readonly id: string;
  readonly displayName: string;
  readonly isLive: boolean;
  /** Undefined where their secrets cannot be read. */
  readonly webhooks: readonly StoredWebhook[] | undefined;
  /** Checks the whole, and writes it where it is kept. */
  save(part: SettingsPart): Promise<WrittenSettings>;
}

/** Where a hotel's settings are: in the directory unless a flag says otherwise. */
export const HOTEL_OPTIONS: readonly Option[] = [
  new Option('--env <file>', 'the hotel is a line PROPERTY_<ID> in this file, and not in the directory'),
  ...fileOptions('PROPERTY_<ID>').slice(1),
];

/** Where a platform's settings are. */
export const PLATFORM_OPTIONS: readonly Option[] = [
  ...fileOptions('PLATFORM_<ID>'),
  new Option('--from <file>', 'present settings as JSON, - for standard input'),
];

/** Opens a hotel from the directory, from a line of a file, or from the text of a secret. @throws `usage` */
export async function openHotel(context: CommandContext, givenId: string, flags: SettingsFlags): Promise<OpenSettings> {
  const id = requirePropertyId(givenId);
  if (flags.env === undefined && flags.deploy !== true) return openInDirectory(context, id, flags);
  const name = secretNameOf(id);
  const before = await presentSecret(context, name, flags);
  const settings = checkedHotel(await requireSettings(context, name, flags));
  return {
    id,
    displayName: settings.displayName,
    isLive: settings.livemode === true,
    keys: settings.merchantKeys,
    webhooks: settings.webhooks ?? [],
    save: ({ keys: merchantKeys = settings.merchantKeys, webhooks = settings.webhooks }) =>
      writeSecret(
        context,
        { name, value: checkedHotel({ ...settings, merchantKeys, ...(webhooks && { webhooks }) }), before },
        flags,
      ),
  };
}

/** Opens a platform from a line of a file or from the text of a secret. @throws `usage` */
export async function openPlatform(
  context: CommandContext,
  givenId: string,
  flags: SettingsFlags,
): Promise<OpenSettings> {
  const { id, name } = platformOf(givenId);
  const before = await presentSecret(context, name, flags);
  const settings = checkedPlatform(await requireSettings(context, name, flags));
  return platformSettings(context, { id, settings, before }, flags);
}

interface PlatformSettings {
  readonly id: string;
  readonly settings: PlatformInput;
  readonly isNew?: boolean;
  /** What was there when they were read. */
  readonly before?: string | undefined;
}

/** A platform's settings, which need not be written anywhere yet. */
export function platformSettings(
  context: CommandContext,
  { id, settings, isNew = false, before }: PlatformSettings,
  flags: SettingsFlags,
): OpenSettings {
  const { name } = platformOf(id);
  return {
    id,
    displayName: settings.displayName,
    isLive: settings.livemode === true,
    keys: settings.keys,
    webhooks: settings.webhooks ?? [],
    save: (part) =>
      writeSecret(context, { name, value: checkedPlatform({ ...settings, ...part }, isNew), before }, flags),
  };
}

/** Id and secret of a platform. @throws `usage` */
export function platformOf(givenId: string): { readonly id: string; readonly name: string } {
  const id = parsePropertyId(givenId);
  if (id !== undefined) return { id, name: `PLATFORM_${id.toUpperCase()}` };
  throw usageError(`“${givenId}” cannot be a platform’s id.`, 'It must be 1 to 40 letters, digits and underscores.');
}

/** The present settings, from `--from`, else from the line in the `--env` file; undefined when there are none. @throws `usage` */
async function settingsSoFar(
  context: CommandContext,
  name: string,
  { from, env = DEFAULT_ENV_FILE, ...flags }: SettingsFlags,
): Promise<Record<string, unknown> | undefined> {
  if (from !== undefined) return readJsonObject(context.io, from, '--from');
  const text = (await targetValues(context, { ...flags, env }))?.get(name);
  if (text === undefined) return undefined;
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw usageError(`${env}: ${name} is not a JSON object. Nothing was changed.`, 'Correct the line, or remove it.');
}

/** A hotel's settings, checked; of these, `written` are new. @throws `usage` with each mistake */
export function checkedHotel(json: unknown, written: readonly string[] = []): PropertyInput {
  const parsed = parseProperty(json, written);
  if ('property' in parsed) return parsed.property;
  throw notRight('hotel', parsed.issues);
}

function checkedPlatform(json: unknown, isWritten = false): PlatformInput {
  const parsed = parsePlatformFields(json, isWritten);
  if ('issues' in parsed) throw notRight('platform', parsed.issues);
  // What the schema accepts has the schema's input type.
  return json as PlatformInput;
}

function notRight(whose: string, issues: readonly PropertyIssue[]): Error {
  return usageError(`The ${whose}’s settings are wrong. Nothing was written.`, ...issues.map(describeIssue));
}

async function requireSettings(context: CommandContext, name: string, flags: SettingsFlags): Promise<object> {
  const settings = await settingsSoFar(context, name, flags);
  if (settings !== undefined) return settings;
  if (flags.deploy === true) {
    throw usageError('There are no settings to change.', `Name the present settings: --from ${name}.json`);
  }
  const { env = DEFAULT_ENV_FILE } = flags;
  const isThere = (await targetValues(context, { ...flags, env })) !== undefined;
  throw usageError(
    isThere ? `${env} has no ${name}.` : `There is no file ${env} here.`,
    'Name its file with --env FILE.',
  );
}

async function openInDirectory(context: CommandContext, id: string, { from }: SettingsFlags): Promise<OpenSettings> {
  const { signal } = context.io;
  const { properties } = await context.platform();
  const { settings, version, problem, source } = await properties.retrieve(id, { signal });
  if (source === 'secret') throw countsAsSecret(id);
  if (settings === null) {
    throw new CliError(
      'property_unavailable',
      `The configuration of ${id} cannot be read: ${problem?.message ?? ''}.`,
      {
        exitCode: EXIT.failed,
        next: [`Write all of it again: innkeep hotel put ${id} --from FILE --if-version ${version}`],
      },
    );
  }
  return {
    id,
    displayName: settings.displayName,
    isLive: settings.livemode,
    keys: settings.merchantKeys.map(({ lastUsedAt: _, ...key }) => key),
    webhooks:
      from === undefined
        ? settings.webhooks.length === 0
          ? []
          : undefined
        : await webhooksOf(context, from, { id, version, settings }),
    async save({ keys, webhooks }) {
      // The proxy checks what came from the parser and from files, and names what is wrong.
      const patch = {
        ...(keys && { merchantKeys: keys as MerchantKey[] }),
        ...(webhooks && { webhooks: [...webhooks] }),
      };
      const changed = await properties.patch(id, patch, { ifMatch: version ?? '*', signal });
      return { file: null, replaced: false, deploy: null, version: changed.version };
    },
  };
}
