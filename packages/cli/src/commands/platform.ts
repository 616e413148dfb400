import { Option } from 'commander';
import { usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { shellWords } from '../terminal/shell-words.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { fileOptions, presentSecret } from './hotel-target.ts';
import {
  addPlatformKey,
  keyInWords,
  type NewKeyFlags,
  PLATFORM_KEY_COMMANDS,
  PLATFORM_KEY_OPTIONS,
} from './key-commands.ts';
import { openPlatform, PLATFORM_OPTIONS, platformOf, platformSettings, type SettingsFlags } from './open-settings.ts';
import { PLATFORM_WEBHOOK_COMMANDS } from './webhook-commands.ts';

interface AddFlags extends NewKeyFlags {
  readonly name: string;
  readonly live?: true;
}

const add = defineCommand<AddFlags>({
  usage: 'add <platform>',
  summary: 'Set up a platform, which has many hotels, with its first key',
  details: [
    'Writes the line PLATFORM_<ID>, or with --deploy one file for the deployed proxy.',
    'The key is shown once: only its SHA-256 is kept. For further keys: `innkeep platform key add`.',
  ].join('\n'),
  options: [
    new Option('--name <text>', 'name of the platform').makeOptionMandatory(),
    new Option('--live', 'its hotels may move real money: its keys begin with pk_live_'),
    new Option('--key-id <name>', 'name of the key, in logs and in the history of hotels').default('default'),
    ...PLATFORM_KEY_OPTIONS,
    ...fileOptions('PLATFORM_<ID>'),
  ],
  examples: [
    "innkeep platform add alpine --name 'Alpine Booking'",
    "innkeep platform add alpine --name 'Alpine Booking' --live --deploy",
  ],
  async run(context, [givenId = ''], flags) {
    const { id, name } = platformOf(givenId);
    if ((await presentSecret(context, name, flags)) !== undefined) {
      const file = flags.out ?? `${name}.json`;
      const another = `For another key: innkeep platform key add ${id} --key-id …`;
      if (flags.deploy !== true) throw usageError(`${flags.env} has ${name} already. Nothing was changed.`, another);
      throw usageError(
        `${file} exists already. Nothing was changed.`,
        `${another} --deploy --from ${shellWords([file])}`,
      );
    }
    const settings = { displayName: flags.name, livemode: flags.live === true, keys: [] };
    return addPlatformKey(context, platformSettings(context, { id, settings, isNew: true }, flags), flags);
  },
});

const show = defineCommand<SettingsFlags>({
  usage: 'show <platform>',
  summary: 'Show a platform: its keys, what they may do, and its webhooks',
  options: PLATFORM_OPTIONS.filter(({ long }) => long === '--env' || long === '--from'),
  examples: ['innkeep platform show alpine', 'innkeep platform show alpine --from PLATFORM_ALPINE.json'],
  async run(context, [givenId = ''], flags) {
    // With --from, nothing is wrong with what is shown when another file is.
    const shown = { ...flags, ...(flags.from !== undefined && { deploy: true as const }) };
    const { id, displayName, isLive, keys, webhooks = [] } = await openPlatform(context, givenId, shown);
    // Addresses may hold secrets.
    const hosts = webhooks.map(({ url, secret, properties = ['*'] }) => ({
      host: new URL(url).host,
      secrets: [secret].flat().length,
      properties,
    }));
    await context.answer(
      { platform: id, displayName, livemode: isLive, keys, webhooks: hosts },
      detailList([
        ['Platform', `${id} (${isLive ? 'live' : 'test'})`],
        ['Name', displayName],
        ...keys.map((key) => ['Platform key', keyInWords(key)] as const),
        ...hosts.map(
          ({ host, secrets, properties }) =>
            [
              'Webhook',
              `${host}: ${secrets} ${secrets === 1 ? 'secret' : 'secrets'}; for ${properties.join(', ')}`,
            ] as const,
        ),
      ]),
    );
    return EXIT.ok;
  },
});

export const PLATFORM_COMMANDS: CommandGroup = {
  name: 'platform',
  summary: 'Platforms, which have many hotels: their keys and webhooks',
  commands: [add, show],
  groups: [PLATFORM_KEY_COMMANDS, PLATFORM_WEBHOOK_COMMANDS],
};
