/** Hotels of the directory: changing them. A change applies everywhere within five seconds. */
import type { PropertyResource } from '@innkeep/core/contract';
import type { VersionOptions } from '@innkeep/core/merchant';
import { Option } from 'commander';
import { checkLogin, connectUpstream } from '../checks/upstream.ts';
import type { CommandContext } from '../context/command-context.ts';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { confirmed } from '../input/confirmed.ts';
import { given } from '../input/given.ts';
import { readInput, readJsonObject, readPrivateText, readSecretFile } from '../input/read-input.ts';
import { readSecret } from '../input/secret-source.ts';
import { parseHotelPatch, SECRET_FIELDS } from '../property/hotel-patch.ts';
import { requirePropertyId } from '../property/property.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { answerHotel } from './hotel-directory.ts';
import { secretCounts } from './hotel-target.ts';
import { checkedHotel } from './open-settings.ts';
import { parseCount, wholeNumber } from './shared-options.ts';

type Version = VersionOptions['ifMatch'];

interface VersionFlag {
  readonly ifVersion?: Version;
}

const IF_VERSION = new Option(
  '--if-version <version>',
  'change it only if it still has this version, as `hotel show` prints it; * for any',
).argParser((text): Version => (text === '*' ? '*' : parseCount(text)));

interface PutFlags extends VersionFlag {
  readonly from: string;
}

export const hotelPut: CommandSpec<PutFlags> = defineCommand<PutFlags>({
  usage: 'put <id>',
  summary: 'Put a hotel into the directory from a file, or replace all of its configuration',
  details: [
    'The file is the JSON of a PROPERTY_<ID> secret, passwords included. It must hold the keys already: `innkeep hotel add --directory` makes them.',
    'A hotel that is there already is replaced only with --if-version.',
  ].join('\n'),
  options: [new Option('--from <file>', 'all fields as JSON, - for standard input').makeOptionMandatory(), IF_VERSION],
  examples: ['innkeep hotel put aurora --from PROPERTY_AURORA.json'],
  async run(context, [givenId = ''], { from, ifVersion }) {
    const id = requirePropertyId(givenId);
    const property = checkedHotel(await readJsonObject(context.io, from, '--from'));
    const { properties } = await context.platform();
    const options = given({ signal: context.io.signal, ifMatch: ifVersion });
    return answerChange(context, await properties.put(id, property, options));
  },
});

interface SetFlags extends VersionFlag {
  readonly unset?: readonly string[];
}

export const hotelSet: CommandSpec<SetFlags> = defineCommand<SetFlags>({
  usage: 'set <id> [field=value...]',
  summary: 'Change some fields of a hotel’s configuration',
  details: [
    'Fields are those of the PROPERTY_<ID> secret. Write a list with commas, a part as maxAmount.EUR=500000, and anything as JSON in a file: webhooks=@webhooks.json. Fields that you do not name stay as they are, secrets too.',
    'Never write a secret on the command line: use password=@file (- is standard input), or password= to take it from INNKEEP_UPSTREAM_PASSWORD or a prompt. The login is tried with a new password once it is stored.',
  ].join('\n'),
  options: [new Option('--unset <field...>', 'fields to remove, so that the proxy’s default applies'), IF_VERSION],
  examples: [
    "innkeep hotel set aurora displayName='Grand Hotel Aurora' maxAmount.EUR=500000",
    'innkeep hotel set aurora origins=https://hotel.example,https://www.hotel.example',
    'innkeep hotel set aurora password=',
    'innkeep hotel set aurora --unset maxAmount',
  ],
  async run(context, [givenId = '', ...words], { unset = [], ifVersion }) {
    const { io } = context;
    const id = requirePropertyId(givenId);
    const patch = await parseHotelPatch(
      { words, unset },
      {
        // A secret is one word.
        readFile: async (path, field) => {
          if (SECRET_FIELDS[field] !== undefined) return readSecretFile(io, path, field);
          if (field in SECRET_FIELDS) return readPrivateText(io, path, field);
          return new TextDecoder().decode(await readInput(io, path, field));
        },
        readSecret: (field, variable) => readSecret(io, { what: `the new ${field}`, variable }),
      },
    );
    const { properties } = await context.platform();
    const options = await versionOf(context, id, ifVersion);
    const changed = await properties.patch(id, patch, options);
    await answerChange(context, changed);
    if (changed.version === options.ifMatch)
      await context.note('Nothing was different, so the version stays the same.');
    if (typeof patch.password === 'string' && changed.settings !== null) {
      // While the old token lasts, a wrong password stops nothing, and nothing shows it.
      const property = { ...changed.settings, password: patch.password };
      const { message, fix = '' } = await checkLogin(io, property, connectUpstream(io, property));
      await context.note(`${message}\n${fix}`.trim());
    }
    return EXIT.ok;
  },
});

export const hotelRemove: CommandSpec<VersionFlag> = defineCommand<VersionFlag>({
  usage: 'remove <id>',
  summary: 'Remove a hotel from the directory',
  details:
    'Its keys stop working and nothing new can start. Payments under way reach their end, and webhooks report them. For 30 days you can restore it with `innkeep hotel roll-back`.',
  options: [IF_VERSION],
  examples: ['innkeep hotel remove aurora'],
  async run(context, [givenId = ''], { ifVersion }) {
    const id = requirePropertyId(givenId);
    const { properties } = await context.platform();
    const options = await versionOf(context, id, ifVersion);
    await confirmed(context.io, `Remove ${id}? Its keys stop working, and nobody can start to pay there.`);
    await answerChange(context, await properties.remove(id, options));
    await context.note(
      [
        `To restore it within 30 days: innkeep hotel roll-back ${id} --to ${options.ifMatch === '*' ? 'VERSION' : options.ifMatch}`,
        'Until then its configuration is kept. Its payments and audit are kept for 400 days, whatever its retentionDays; its events for 90 days.',
        'Restore it if a payment is or becomes unknown: for a removed hotel `innkeep status` shows none, and no key can resolve it.',
      ].join('\n'),
    );
    return EXIT.ok;
  },
});

interface RollBackFlags extends VersionFlag {
  readonly to: number;
}

export const hotelRollBack: CommandSpec<RollBackFlags> = defineCommand<RollBackFlags>({
  usage: 'roll-back <id>',
  summary: 'Go back to an earlier version of a hotel’s configuration',
  details:
    'The earlier version becomes a new one. A removed hotel is restored. The merchant keys stay as they are now.',
  options: [
    new Option('--to <version>', 'the version, as `hotel versions` prints it')
      .argParser(wholeNumber('the number of a version', 1, 999_999_999_999_999))
      .makeOptionMandatory(),
    IF_VERSION,
  ],
  examples: ['innkeep hotel roll-back aurora --to 3'],
  async run(context, [givenId = ''], { to, ifVersion }) {
    const id = requirePropertyId(givenId);
    const { properties } = await context.platform();
    return answerChange(context, await properties.rollBack(id, to, await versionOf(context, id, ifVersion)));
  },
});

/** Shows a hotel after a change, and what keeps the change from being served. */
async function answerChange(context: CommandContext, hotel: PropertyResource): Promise<ExitCode> {
  await answerHotel(context, hotel);
  const secret = await secretCounts(context, hotel.id);
  if (secret !== undefined) await context.note(secret);
  return EXIT.ok;
}

/** The version that a change is meant for: the named one, else the present one. */
async function versionOf(context: CommandContext, id: string, named?: Version): Promise<VersionOptions> {
  const { signal } = context.io;
  if (named !== undefined) return { ifMatch: named, signal };
  const { properties } = await context.platform();
  // A hotel that is a secret has no version: the proxy says what to do instead.
  return { ifMatch: (await properties.retrieve(id, { signal })).version ?? '*', signal };
}
