/** Merchant keys of hotels in the directory. */
import { type MerchantKey, SCOPES, type Scope } from '@innkeep/core/contract';
import { Option } from 'commander';
import { CliError, usageError } from '../cli-error.ts';
import { EXIT } from '../exit-code.ts';
import type { OperatorApi, Version } from '../operator/operator-api.ts';
import { makeMerchantKey } from '../property/secrets.ts';
import { facts } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { hotelId } from './hotel-directory.ts';

interface AddFlags {
  readonly keyId: string;
  readonly scope: readonly Scope[];
}

const add = defineCommand<AddFlags>({
  usage: 'add <id>',
  summary: 'Make another merchant key for a hotel',
  details:
    'The key is shown this once: the proxy keeps its SHA-256. It counts at once; the keys that are there go on working.',
  options: [
    new Option('--key-id <name>', 'name of the key, in logs and in `hotel show`').makeOptionMandatory(),
    new Option('--scope <scope...>', 'what the key may do').choices(SCOPES).default(['checkout', 'charges', 'events']),
  ],
  examples: ['innkeep hotel key add aurora --key-id web-2027 --scope checkout events'],
  async run(context, [givenId = ''], { keyId, scope }) {
    const id = hotelId(givenId);
    const api = await context.operator();
    const { version, isLive, keys } = await keysOf(api, id);
    if (keys.some((key) => key.id === keyId)) {
      throw usageError(
        `${id} has a key “${keyId}” already. Nothing was changed.`,
        'Choose another --key-id.',
        `If its text was lost, add another key, then: innkeep hotel key revoke ${id} ${keyId}`,
      );
    }
    const { secretKey, sha256 } = makeMerchantKey(context.io.randomBytes, { isLive, property: id });
    const merchantKeys = [...keys, { id: keyId, sha256, scopes: [...scope] }];
    const changed = await api.patch(id, { merchantKeys }, version);
    await context.answer(
      { property: id, version: changed.version, merchantKey: { id: keyId, secretKey, sha256, scopes: scope } },
      facts([
        ['Hotel', `${id} (${isLive ? 'live' : 'test'})`],
        ['Merchant key', secretKey],
        ['Its SHA-256', sha256],
        ['Scopes', scope.join(', ')],
      ]),
    );
    await context.note('The merchant key is shown this once. Keep it where the hotel’s server reads its secrets.');
    return EXIT.ok;
  },
});

const revoke = defineCommand<object>({
  usage: 'revoke <id> <key-id>',
  summary: 'Take a merchant key from a hotel',
  details: 'Within five seconds it is refused everywhere. A hotel keeps at least one key: add the next one first.',
  examples: ['innkeep hotel key revoke aurora web'],
  async run(context, [givenId = '', keyId = '']) {
    const id = hotelId(givenId);
    const api = await context.operator();
    const { version, keys } = await keysOf(api, id);
    const merchantKeys = keys.filter((key) => key.id !== keyId);
    if (merchantKeys.length === keys.length) {
      throw usageError(`${id} has no key “${keyId}”.`, `It has: ${keys.map((key) => key.id).join(', ')}`);
    }
    if (merchantKeys.length === 0) {
      throw usageError(
        `“${keyId}” is the only key of ${id}. Nothing was changed.`,
        `Add the next one first: innkeep hotel key add ${id} --key-id …`,
        `To end the hotel altogether: innkeep hotel remove ${id}`,
      );
    }
    const changed = await api.patch(id, { merchantKeys }, version);
    await context.answer(
      { property: id, version: changed.version, revoked: keyId, left: merchantKeys.map((key) => key.id) },
      facts([
        ['Revoked', keyId],
        ['Left', merchantKeys.map((key) => key.id).join(', ')],
      ]),
    );
    await context.note('Within five seconds it is refused everywhere.');
    return EXIT.ok;
  },
});

/** Merchant keys of a hotel in the directory. */
export const HOTEL_KEY_COMMANDS: CommandGroup = {
  name: 'key',
  summary: 'Merchant keys of a hotel in the directory',
  commands: [add, revoke],
};

interface Keys {
  readonly version: Version;
  readonly isLive: boolean;
  readonly keys: readonly MerchantKey[];
}

async function keysOf(api: OperatorApi, id: string): Promise<Keys> {
  const { settings, version, problem } = await api.show(id);
  if (settings !== null) {
    // A hotel of a secret has no version: the proxy says what to do instead.
    return { version: version ?? '*', isLive: settings.livemode, keys: settings.merchantKeys };
  }
  throw new CliError('property_unavailable', `The configuration of ${id} cannot be read: ${problem?.message ?? ''}.`, {
    exitCode: EXIT.failed,
    next: [`Write all of it anew: innkeep hotel put ${id} --from FILE --if-version ${version}`],
  });
}
