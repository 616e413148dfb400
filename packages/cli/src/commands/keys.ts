/** Keys by which the proxy seals what it stores: a new one, and the directory sealed with it. */
import { resolve } from 'node:path';
import type { PropertySummary } from '@innkeep/core/contract';
import { isProblemError } from '@innkeep/core/errors';
import { Option } from 'commander';
import { CliError, usageError } from '../cli-error.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-code.ts';
import { readInput } from '../input/read-input.ts';
import { inParallel } from '../operator/in-parallel.ts';
import { hotelPages } from '../operator/operator-api.ts';
import { readEnvFile, writeEnvValue } from '../property/env-file.ts';
import { parseSealingKeys, withNewKey } from '../property/sealing-keys.ts';
import { makeSealingKey } from '../property/secrets.ts';
import { facts } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { DEFAULT_ENV_FILE } from './hotel-target.ts';

/** So long are tokens kept that an older key may have sealed. */
const TOKENS_KEPT_DAYS = 30;
const AT_ONCE = 4;

interface RotateFlags {
  readonly env: string;
  readonly deploy?: true;
  readonly from?: string;
}

const rotate = defineCommand<RotateFlags>({
  usage: 'rotate',
  summary: 'Put a new sealing key in front of SEALING_KEYS',
  details: [
    'The new key seals from then on; the ones behind it still open. The line of the --env file is rewritten in one step.',
    'For Cloudflare (--deploy) the present value comes from --from FILE (- is standard input), from SEALING_KEYS or a prompt: keep it in your password manager, for it cannot be read back. The new value is all of standard output: keep it, and hand it to `npx wrangler secret put SEALING_KEYS`.',
  ].join('\n'),
  options: [
    new Option('--env <file>', 'file with the line SEALING_KEYS').default(DEFAULT_ENV_FILE),
    new Option('--deploy', 'write the new value to standard output, and touch no file').conflicts('env'),
    new Option('--from <file>', 'present value, - for standard input').implies({ deploy: true }),
  ],
  examples: [
    'innkeep keys rotate --env .dev.vars',
    'innkeep keys rotate --from sealing-keys | tee sealing-keys.new | npx wrangler secret put SEALING_KEYS',
  ],
  async run(context, _args, flags) {
    const { io } = context;
    const key = makeSealingKey(io.randomBytes);
    const next = [
      'When the proxy runs with it, seal the hotels of the directory with it: innkeep keys reseal',
      'Keep the value in your password manager. Without its keys nobody can open what they have sealed.',
    ];
    if (flags.deploy === true) {
      const value = withNewKey(await presentKeys(context, flags), key);
      await context.answer({ sealingKeys: value }, `${value}\n`);
      await context.note(next.join('\n'));
      return EXIT.ok;
    }
    const path = resolve(io.cwd, flags.env);
    const values = await readEnvFile(path);
    if (values === undefined) throw usageError(`There is no file ${flags.env} here.`, 'Name it with --env FILE');
    const before = parseSealingKeys(values.get('SEALING_KEYS') ?? '', flags.env);
    await writeEnvValue(path, 'SEALING_KEYS', withNewKey(before, key));
    await context.answer(
      { file: flags.env, keys: before.length + 1 },
      facts([
        ['Written to', flags.env],
        ['Sealing keys', `${before.length + 1}, the new one first`],
      ]),
    );
    await context.note([`Restart the proxy with ${flags.env}.`, ...next].join('\n'));
    return EXIT.ok;
  },
});

interface ResealFlags {
  readonly cursor?: string;
}

const reseal = defineCommand<ResealFlags>({
  usage: 'reseal',
  summary: 'Seal every hotel of the directory with the newest sealing key',
  details: [
    'Run it after `innkeep keys rotate`, once the proxy runs with the new key. Nothing is served differently meanwhile, and it may be repeated as often as you like.',
    'What was stopped half-way goes on with --cursor and what it said last.',
  ].join('\n'),
  options: [new Option('--cursor <cursor>', 'go on behind the hotels that are done')],
  examples: ['innkeep keys reseal'],
  async run(context, _args, { cursor }) {
    const api = await context.operator();
    const counts = { hotels: 0, resealed: 0 };
    const failed: { id: string; message: string }[] = [];
    const resealOne = async ({ id, source }: PropertySummary): Promise<void> => {
      // A secret is sealed by the deployment itself.
      if (source !== 'directory') return;
      counts.hotels += 1;
      try {
        const { resealed } = await api.reseal(id);
        counts.resealed += resealed;
      } catch (error) {
        // One hotel keeps no other from being sealed; whoever is stopped, or may not, is.
        if (!isProblemError(error) || error.status < 404) throw error;
        failed.push({ id, message: error.message });
      }
    };
    for await (const { data, nextCursor } of hotelPages(api, { cursor })) {
      await inParallel(data, AT_ONCE, resealOne);
      if (nextCursor === null) continue;
      await context.note(`${counts.hotels} hotels are done. To go on from here: --cursor ${nextCursor}`, {
        cursor: nextCursor,
      });
    }
    await context.answer(
      { ...counts, failed },
      facts([
        ['Hotels', counts.hotels],
        ['Versions sealed anew', counts.resealed],
        ...failed.map(({ id, message }) => ['Failed', `${id}: ${message}`] as const),
      ]),
    );
    if (failed.length > 0) {
      throw new CliError('reseal_incomplete', `${failed.length} hotels are not sealed with the newest key.`, {
        exitCode: EXIT.failed,
        next: ['Keep the older keys in SEALING_KEYS, and run this again: innkeep keys reseal'],
      });
    }
    const day = new Date(context.io.now().getTime() + TOKENS_KEPT_DAYS * 86_400_000).toISOString().slice(0, 10);
    await context.note(
      `Card tokens and access tokens stay sealed by older keys for ${TOKENS_KEPT_DAYS} days: take those out of SEALING_KEYS on ${day} or later.`,
      { oldKeysUntil: day },
    );
    return EXIT.ok;
  },
});

/** Keys by which the proxy seals what it stores. */
export const KEYS_COMMANDS: CommandGroup = {
  name: 'keys',
  summary: 'Keys by which the proxy seals what it stores',
  commands: [rotate, reseal],
};

async function presentKeys({ io }: CommandContext, { from }: RotateFlags): Promise<readonly string[]> {
  const known = io.env.SEALING_KEYS ?? '';
  const [text, where] =
    from !== undefined
      ? [new TextDecoder().decode(await readInput(io, from, '--from')), '--from']
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
  if (keys.length > 0) return keys;
  throw usageError(
    `${where} has no key. Nothing was made: with a new key alone nobody could open what is stored.`,
    'For the very first key: openssl rand -base64 32 | npx wrangler secret put SEALING_KEYS',
  );
}
