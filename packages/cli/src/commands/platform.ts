import { PLATFORM_SCOPES, type PlatformInput, type PlatformScope } from '@innkeep/core/contract';
import { Option } from 'commander';
import { usageError } from '../cli-error.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-code.ts';
import { readJsonObject } from '../input/read-input.ts';
import { parsePlatform } from '../property/platform.ts';
import { describeComplaint, parsePropertyId } from '../property/property.ts';
import { makePlatformKey } from '../property/secrets.ts';
import { facts } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { fileOptions, type TargetFlags, targetValues, writeSecret } from './hotel-target.ts';

interface AddFlags extends TargetFlags {
  readonly name?: string;
  readonly live?: true;
  readonly keyId: string;
  readonly scope: readonly PlatformScope[];
  readonly properties: readonly string[];
  readonly from?: string;
}

const add = defineCommand<AddFlags>({
  usage: 'add <platform>',
  summary: 'Make a key for an operator of many hotels',
  details: [
    'Writes the line PLATFORM_<ID>; one that is there keeps its keys and gets another. For the deployed proxy (--deploy) the settings so far come from --from.',
    'The key is shown once: only its SHA-256 is kept. Restart or deploy the proxy, and it counts.',
  ].join('\n'),
  options: [
    new Option('--name <text>', 'name of the operator; needed for the first key'),
    new Option('--live', 'its hotels may move real money: the key begins with pk_live_'),
    new Option('--key-id <name>', 'name of the key, in logs and in the history of hotels').default('default'),
    new Option('--scope <scope...>', 'what the key may do')
      .choices(PLATFORM_SCOPES)
      .default(['properties', 'checkout', 'charges', 'events']),
    new Option('--properties <pattern...>', 'for which hotels: ids, beginnings such as alpine_*, or * for all').default(
      ['*'],
    ),
    new Option('--from <file>', 'settings so far as JSON, - for standard input'),
    ...fileOptions('PLATFORM_<ID>'),
  ],
  examples: [
    "innkeep platform add alpine --name 'Alpine Booking'",
    "innkeep platform add alpine --name 'Alpine Booking' --live --key-id deploy --scope properties --properties 'alpine_*' --deploy",
  ],
  async run(context, [givenId = ''], flags) {
    const { keyId, scope, properties } = flags;
    const id = parsePropertyId(givenId);
    if (id === undefined) {
      throw usageError(`“${givenId}” cannot be an operator’s id.`, 'It is 1 to 40 letters, digits and underscores.');
    }
    const name = `PLATFORM_${id.toUpperCase()}`;
    const before = await settingsSoFar(context, name, flags);
    const displayName = flags.name ?? before?.displayName;
    if (displayName === undefined) throw usageError('The operator has no name.', "Add --name 'Alpine Booking'");
    if (before?.keys.some((key) => key.id === keyId) === true) {
      throw usageError(`${name} has a key “${keyId}” already. Nothing was changed.`, 'Choose another --key-id.');
    }
    const isLive = flags.live === true || before?.livemode === true;
    const { secretKey, sha256 } = makePlatformKey(context.io.randomBytes, { isLive, platform: id });
    const key = { id: keyId, sha256, scopes: [...scope], properties: [...properties] };
    const value = checked({ displayName, livemode: isLive, keys: [...(before?.keys ?? []), key] });
    const { file, deploy } = await writeSecret(context, { name, value }, flags);
    await context.answer(
      { platform: id, secretName: name, livemode: isLive, platformKey: { ...key, secretKey }, file, deploy },
      facts([
        ['Operator', `${id} (${isLive ? 'live' : 'test'})`],
        ['Platform key', secretKey],
        ['Its SHA-256', sha256],
        ['Scopes', scope.join(', ')],
        ['Hotels', properties.join(', ')],
        ['Written to', deploy === null ? `${file} as ${name}` : file],
        ...(deploy === null ? [] : [['Deploy with', deploy] as const]),
      ]),
    );
    await context.note('The platform key is shown this once. Keep it where your server reads its secrets.');
    return EXIT.ok;
  },
});

/** Operators of many hotels. */
export const PLATFORM_COMMANDS: CommandGroup = {
  name: 'platform',
  summary: 'Operators of many hotels, and their keys',
  commands: [add],
};

async function settingsSoFar(
  context: CommandContext,
  name: string,
  flags: AddFlags,
): Promise<PlatformInput | undefined> {
  if (flags.from !== undefined) return checked(await readJsonObject(context.io, flags.from, '--from'));
  const text = (await targetValues(context, flags))?.get(name);
  if (text === undefined) return undefined;
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(`${flags.env}: ${name} is not JSON. Nothing was changed.`, 'Correct the line, or take it out.');
  }
}

function checked(json: unknown): PlatformInput {
  const parsed = parsePlatform(json);
  if ('platform' in parsed) return parsed.platform;
  throw usageError(
    'The operator’s settings are not right. Nothing was written.',
    ...parsed.complaints.map(describeComplaint),
  );
}
