/** Keys with which the proxy seals what it stores: making a new one, and sealing the directory with it. */
import { resolve } from 'node:path';
import type { PropertySummary } from '@innkeep/core/contract';
import { isProblemError } from '@innkeep/core/errors';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { CliError, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { readPrivateText } from '../input/read-input.ts';
import { readEnvFile, writeEnvValue } from '../property/env-file.ts';
import { fingerprintOfKeys, parseSealingKeys } from '../property/sealing-keys.ts';
import { makeSealingKey } from '../property/secrets.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { DEFAULT_ENV_FILE } from './hotel-target.ts';
import { inParallel } from './in-parallel.ts';
import { parseDay } from './instant.ts';
import { wholeNumber } from './shared-options.ts';

/** How long open pages may hold a client secret of an older key. */
const SECRETS_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
const AT_ONCE = 4;
const NOT_FOR_ALL = 'This platform key is not for all hotels: others may still be sealed with an older key.';
const OTHER_KEYS = [
  'The proxy does not run with these sealing keys. Nothing was removed.',
  'Start it with exactly these. --rotated-on is the day on which it first ran with the newest.',
] as const;
const UNTOLD_KEYS = [
  'This version of the proxy does not say which sealing keys it runs with. Nothing was removed.',
  'Update the proxy first.',
] as const;
const NOTHING_ANEW = 'Nothing was left to reseal. If `innkeep keys rotate` just ran, restart the proxy first.';
const USE_ANOTHER = 'Use a key whose hotels are *.';

interface KeysFlags {
  readonly env: string;
  readonly deploy?: true;
  readonly from?: string;
}

/** Keys, and all values of the file that they come from; undefined when there is no such file. */
interface PresentKeys {
  readonly keys: readonly string[];
  readonly values?: ReadonlyMap<string, string> | undefined;
}

/** Where the value is, and where it goes. */
const KEYS_OPTIONS: readonly Option[] = [
  new Option('--env <file>', 'file with the line SEALING_KEYS').default(DEFAULT_ENV_FILE),
  new Option('--deploy', 'write the new value to standard output, and change no file').conflicts('env'),
  new Option('--from <file>', 'present value, - for standard input').implies({ deploy: true }),
];

const DEPLOY_DETAILS =
  'For Cloudflare (--deploy) the present value comes from --from FILE (- is standard input), from SEALING_KEYS or a prompt: keep it in your password manager, because it cannot be read back. Standard output is the new value and nothing else: keep it, and pass it to `npx wrangler secret put SEALING_KEYS`.';

const rotate = defineCommand<KeysFlags>({
  usage: 'rotate',
  summary: 'Put a new sealing key in front of SEALING_KEYS',
  details: [
    'The new key seals from then on; the ones behind it still open. The line of the --env file is rewritten in one step.',
    DEPLOY_DETAILS,
  ].join('\n'),
  options: KEYS_OPTIONS,
  examples: [
    'innkeep keys rotate --env .dev.vars',
    'innkeep keys rotate --from sealing-keys > sealing-keys.new && npx wrangler secret put SEALING_KEYS < sealing-keys.new',
  ],
  async run(context, _args, flags) {
    const { keys, values } = await presentKeys(context, flags);
    await writeKeys(context, flags, {
      values,
      keys: [makeSealingKey(context.io.randomBytes), ...keys],
      text: `${keys.length + 1}, the new one first`,
    });
    await context.note(
      [
        'Once the proxy runs with the new key, reseal the hotels of the directory: innkeep keys reseal',
        'Keep the value in your password manager. Without its keys nobody can open what they have sealed.',
      ].join('\n'),
    );
    return EXIT.ok;
  },
});

interface ResealFlags {
  readonly cursor?: string;
}

const reseal = defineCommand<ResealFlags>({
  usage: 'reseal',
  summary: 'Seal every hotel of the directory, and every stored card, with the newest sealing key',
  details: [
    'Run it after `innkeep keys rotate`, once the proxy runs with the new key, with a platform key that is for all hotels. The proxy serves everything as before meanwhile, and you can repeat the command as often as you like.',
    'If it was stopped half-way, continue with --cursor and the value that it printed last.',
  ].join('\n'),
  options: [new Option('--cursor <cursor>', 'continue after the hotels that are done')],
  examples: ['innkeep keys reseal'],
  async run(context, _args, { cursor }) {
    const counts = await resealAll(context, { cursor });
    await context.answer(
      { ...counts, failed: [] },
      detailList([
        ['Hotels', counts.hotels],
        ['Versions resealed', counts.resealed],
        ['Cards resealed', counts.cards],
      ]),
    );
    if (!counts.coversAll) await context.note(`${NOT_FOR_ALL} ${USE_ANOTHER}`);
    // The days count from when the proxy began to run with the newest key. A proxy that has sealed nothing with it may not run with it.
    if (counts.resealed + counts.cards === 0) {
      await context.note(NOTHING_ANEW);
      return EXIT.ok;
    }
    const day = dayOf(context.io.now().getTime() + SECRETS_KEPT_DAYS * DAY_MS);
    await context.note(
      `Client secrets of older keys are still in use. If the proxy runs with the newest key, run on ${day} or later: innkeep keys retire --rotated-on ${dayOf(context.io.now().getTime())}`,
      { oldKeysUntil: day },
    );
    return EXIT.ok;
  },
});

interface RetireFlags extends KeysFlags {
  readonly rotatedOn: string;
  readonly keepCardsDays?: number;
}

const retire = defineCommand<RetireFlags>({
  usage: 'retire',
  summary: 'Remove all keys but the newest from SEALING_KEYS',
  details: [
    `Nothing is removed before the proxy has run with the newest key for ${SECRETS_KEPT_DAYS} days.`,
    'It seals every hotel and every stored card with the newest key once more, so the platform key must be for all hotels. Only if the proxy has no platform can you do without: say how long hotels keep cards (--keep-cards-days), and nothing is removed before the last card that an older key has sealed is gone.',
    DEPLOY_DETAILS,
  ].join('\n'),
  options: [
    new Option('--rotated-on <day>', 'day on which the proxy first ran with the newest key, such as 2026-10-20')
      .argParser(parseDay)
      .makeOptionMandatory(),
    new Option(
      '--keep-cards-days <days>',
      'where there is no platform: the longest keepCardsDays of any hotel (30 if none is set)',
    ).argParser(wholeNumber('a number of days such as 30', 0, 9_999)),
    ...KEYS_OPTIONS,
  ],
  examples: [
    'innkeep keys retire --rotated-on 2026-04-01 --env .dev.vars',
    'innkeep keys retire --rotated-on 2026-04-01 --from sealing-keys > sealing-keys.new && npx wrangler secret put SEALING_KEYS < sealing-keys.new',
  ],
  async run(context, _args, flags) {
    const { keepCardsDays } = flags;
    const keptDays = Math.max(SECRETS_KEPT_DAYS, keepCardsDays ?? 0);
    const earliest = Date.parse(flags.rotatedOn) + keptDays * DAY_MS;
    if (context.io.now().getTime() < earliest) {
      throw usageError(
        `Until ${dayOf(earliest)} what an older key has sealed may still be needed. Nothing was changed.`,
        'Run this again on that day or later.',
      );
    }
    const { keys, values } = await presentKeys(context, flags);
    const [newest = '', ...older] = keys;
    if (older.length === 0) throw usageError('There is only one sealing key. Nothing was changed.');
    if (keepCardsDays === undefined || context.hasPlatformKey()) await resealAll(context, { keys });
    else refuseWithPlatform(flags.env, values);
    await writeKeys(context, flags, { values, keys: [newest], text: `1; removed: ${older.length}` });
    await context.note(
      'Keep the old value until the proxy runs with the new one and `innkeep status` says that all is well. Older backups need it, too.',
    );
    return EXIT.ok;
  },
});

export const KEYS_COMMANDS: CommandGroup = {
  name: 'keys',
  summary: 'Keys with which the proxy seals what it stores',
  commands: [rotate, reseal, retire],
};

/**
 * Seals each hotel of the directory with the newest key. With `keys` it must be all hotels, and the proxy run with them.
 *
 * @throws `reseal_incomplete` when one cannot be
 */
async function resealAll(
  context: CommandContext,
  { cursor: begin, keys }: { readonly cursor?: string | undefined; readonly keys?: readonly string[] },
): Promise<{ hotels: number; resealed: number; cards: number; coversAll: boolean }> {
  const platform = await context.platform();
  const { signal } = context.io;
  const counts = { hotels: 0, resealed: 0, cards: 0, coversAll: false };
  const failed: { id: string; message: string }[] = [];
  const expected = keys && fingerprintOfKeys(keys);
  const resealOne = async ({ id }: PropertySummary): Promise<void> => {
    try {
      // Also for a hotel that is a secret: its cards are sealed, and its configuration in the directory may apply later.
      const { resealed, cards, sealingKeys } = await platform.properties.reseal(id, { signal });
      if (keys !== undefined && sealingKeys === undefined) throw usageError(...UNTOLD_KEYS);
      if (keys !== undefined && sealingKeys !== expected) throw usageError(...OTHER_KEYS);
      counts.hotels += 1;
      counts.resealed += resealed;
      counts.cards += cards;
    } catch (error) {
      counts.hotels += 1;
      // A hotel that fails does not stop the others; Ctrl-C and a key that may not do this do.
      if (!isProblemError(error) || error.status < 404) throw error;
      failed.push({ id, message: error.message });
    }
  };
  for (let cursor: string | null | undefined = begin; cursor !== null; ) {
    const { data, nextCursor, coversAll } = await platform.properties.list({ limit: 100, cursor }, { signal });
    cursor = nextCursor;
    if (keys !== undefined && !coversAll) throw usageError(`${NOT_FOR_ALL} Nothing was changed.`, USE_ANOTHER);
    counts.coversAll = coversAll;
    await inParallel(data, AT_ONCE, resealOne);
    if (nextCursor === null) continue;
    await context.note(`${counts.hotels} hotels are done. To continue from here: --cursor ${nextCursor}`, {
      cursor: nextCursor,
    });
  }
  if (failed.length === 0) return counts;
  throw new CliError(
    'reseal_incomplete',
    `${failed.length} of ${counts.hotels} hotels are not sealed with the newest key.`,
    {
      exitCode: EXIT.failed,
      next: [
        ...failed.map(({ id, message }) => `${id}: ${message}`),
        'Keep the older keys in SEALING_KEYS, and run this again: innkeep keys reseal',
      ],
      details: { ...counts, failed },
    },
  );
}

async function writeKeys(
  context: CommandContext,
  { env, deploy }: KeysFlags,
  { values, keys, text }: PresentKeys & { readonly text: string },
): Promise<void> {
  const value = keys.join(' ');
  if (deploy === true) return void (await context.answer({ sealingKeys: value }, `${value}\n`));
  await writeEnvValue(resolve(context.io.cwd, env), 'SEALING_KEYS', { value, before: values?.get('SEALING_KEYS') });
  await context.answer(
    { file: env, keys: keys.length },
    detailList([
      ['Written to', env],
      ['Sealing keys', text],
    ]),
  );
  await context.note(`Restart the proxy with ${env}.`);
}

/** Without a platform key nothing can be resealed, and the keys of a directory's hotels would go. @throws `usage` */
function refuseWithPlatform(env: string, values: ReadonlyMap<string, string> = new Map()): void {
  const platform = [...values.keys()].find((name) => name.startsWith('PLATFORM_'));
  if (platform === undefined) return;
  throw usageError(
    `${env} has ${platform}, so hotels may be in a directory that only an older key opens. Nothing was changed.`,
    'Set INNKEEP_PLATFORM_KEY to a platform key whose hotels are *. Or remove the platforms that nobody uses.',
  );
}

async function presentKeys({ io }: CommandContext, { env, deploy, from }: KeysFlags): Promise<PresentKeys> {
  if (deploy !== true) {
    const values = await readEnvFile(resolve(io.cwd, env));
    if (values === undefined) throw usageError(`There is no file ${env} here.`, 'Name it with --env FILE');
    return { keys: parseSealingKeys(values.get('SEALING_KEYS') ?? '', env), values };
  }
  const known = io.env.SEALING_KEYS ?? '';
  const [text, where] =
    from !== undefined
      ? [await readPrivateText(io, from, '--from'), '--from']
      : known !== ''
        ? [known, 'SEALING_KEYS']
        : [await io.prompter?.secret({ message: 'The present value of SEALING_KEYS' }), 'The value'];
  if (text === undefined) {
    throw usageError(
      'There is no present value of SEALING_KEYS.',
      'Name a file with --from FILE (- is standard input), or set SEALING_KEYS.',
    );
  }
  const keys = parseSealingKeys(text, where);
  if (keys.length > 0) return { keys };
  throw usageError(
    `${where} has no key. Nothing was made: with only a new key, nobody could open what is stored.`,
    'To make the very first key (keep the value): openssl rand -base64 32 > sealing-keys && npx wrangler secret put SEALING_KEYS < sealing-keys',
  );
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
