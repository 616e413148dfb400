import { EXPIRES_IN_UNITS, GATEWAY_KEY_PLACES, type PropertyInput, SCOPES } from '@innkeep/core/contract';
import { Option } from 'commander';
import { checkLogin, connectUpstream } from '../checks/upstream.ts';
import { failure, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { confirmed } from '../input/confirmed.ts';
import { given } from '../input/given.ts';
import { parsePairs } from '../input/pairs.ts';
import { readJsonObject } from '../input/read-input.ts';
import type { Io } from '../process/io.ts';
import { notInMinorUnits } from '../property/hotel-patch.ts';
import { parsePropertyId, secretNameOf } from '../property/property.ts';
import { makeKey, makeWebhookSecret } from '../property/secrets.ts';
import { shellWords } from '../terminal/shell-words.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { collectHotelFields, hotelFieldOptions } from './hotel-fields.ts';
import {
  DEFAULT_ENV_FILE,
  fileOptions,
  KEEP_A_COPY,
  presentSecret,
  secretCounts,
  type TargetFlags,
  writeHotel,
} from './hotel-target.ts';
import { type KeyFlags, keyOptions, newKey, warnOfPowers } from './key-commands.ts';
import { checkedHotel } from './open-settings.ts';

/** The gateway messages that are allowed by default: the one that `hotel check` sends. */
const DEFAULT_GATEWAY_ALLOW = ['RMS/keepalivereq'];

const SEALING_HINT =
  '\nDo this once for each deployment with live hotels, and keep the value: openssl rand -base64 32 > sealing-keys && npx wrangler secret put SEALING_KEYS < sealing-keys';

interface AddFlags extends TargetFlags, KeyFlags {
  readonly from?: string;
  readonly loginCheck: boolean;
  readonly live?: true;
  readonly surcharge?: true;
  readonly moto?: true;
  readonly expiresInUnit?: string;
  readonly allowedOrigin?: readonly string[];
  readonly viewOrigin?: readonly string[];
  readonly webhookUrl?: readonly string[];
  readonly maxAmount?: readonly string[];
  readonly gatewayAllow?: readonly string[];
  readonly gatewayKeyIn?: string;
}

export const hotelAdd: CommandSpec<AddFlags> = defineCommand<AddFlags>({
  usage: 'add [id]',
  summary: 'Set up a hotel: its settings, a merchant key, a webhook secret',
  details: [
    'At a terminal it asks for what is missing. Scripts give flags, or the fields as JSON (--from), and the secrets in INNKEEP_UPSTREAM_USERNAME, INNKEEP_UPSTREAM_PASSWORD and INNKEEP_GATEWAY_API_KEY.',
    'The login is tried before anything is written. The merchant key is shown once: only its SHA-256 is kept.',
    'With --directory the running proxy serves the hotel at once, with no deployment; it needs a platform key.',
  ].join('\n'),
  options: [
    new Option('--from <file>', 'fields as JSON, - for standard input; flags take precedence'),
    ...hotelFieldOptions(),
    new Option('--live', 'real money: the key begins with sk_live_'),
    new Option('--expires-in-unit <unit>', 'unit of the login’s expires_in').choices(EXPIRES_IN_UNITS),
    new Option('--allowed-origin <origin...>', 'further origins of the payment service that may get the access token'),
    new Option('--view-origin <origin...>', 'further origins that guests may be sent to'),
    new Option('--webhook-url <url...>', 'where events are sent; each address gets a secret of its own'),
    new Option(
      '--max-amount <currency=minor...>',
      'largest amount by currency in minor units, for instance EUR=500000',
    ),
    new Option('--surcharge', 'allow sessions with a surcharge'),
    new Option('--moto', 'allow keyed-in cards, in a proxy that is built for them'),
    new Option('--gateway-allow <protocol/method...>', 'gateway messages to allow; needs INNKEEP_GATEWAY_API_KEY'),
    new Option('--gateway-key-in <place>', 'where the gateway key goes').choices(GATEWAY_KEY_PLACES),
    new Option('--key-id <name>', 'name of the merchant key').default('default'),
    ...keyOptions(SCOPES),
    ...fileOptions('PROPERTY_<ID>'),
    new Option(
      '--directory',
      'put the hotel into the directory of the running proxy instead, with a platform key',
    ).conflicts(['env', 'deploy', 'out']),
    new Option('--no-login-check', 'do not try the login'),
  ],
  examples: [
    'innkeep hotel add aurora',
    'innkeep hotel add aurora --from aurora.json --json',
    'innkeep hotel add aurora --from aurora.json --live --deploy',
    'innkeep hotel add borealis --from borealis.json --directory',
  ],
  async run(context, [givenId], flags) {
    const { io } = context;
    const id = await propertyId(io, givenId);
    const name = secretNameOf(id);
    const before = await presentSecret(context, name, flags);
    if (before !== undefined) {
      await confirmed(io, `${name} exists already. Replace it? Its merchant keys stop working.`);
    }

    const fields = await collectFields(io, flags);
    const isLive = fields.livemode === true;
    const key = makeKey('sk', io.randomBytes, { id, isLive });
    const stored = newKey(context, flags, key);
    const existing = Array.isArray(fields.merchantKeys) ? fields.merchantKeys : [];
    fields.merchantKeys = [...existing, stored];
    const webhooks = addWebhookSecrets(io, fields);
    const property = checkedHotel(fields, Object.keys(fields));

    const login = flags.loginCheck ? await tryLogin(io, property) : 'not tried';
    const { file, replaced, deploy, version } = await writeHotel(context, { id, property, before }, flags);

    await context.answer(
      {
        property: id,
        secretName: name,
        livemode: isLive,
        merchantKey: { ...stored, secretKey: key.secretKey },
        webhooks,
        login,
        file,
        replaced,
        deploy,
        version,
      },
      detailList([
        ['Hotel', `${id} (${isLive ? 'live' : 'test'})`],
        ['Merchant key', key.secretKey],
        ['Its SHA-256', key.sha256],
        ...webhooks.map(({ url, secret }) => ['Webhook secret', `${secret}  for ${url}`] as const),
        ['Login', login],
        [replaced ? 'Replaced in' : 'Written to', whereIs(name, file, deploy)],
        ...(deploy === null ? [] : [['Deploy with', deploy] as const]),
      ]),
    );
    await warnOfPowers(context, flags.scope);
    await context.note(
      [
        'The merchant key is shown only once. Keep it where the hotel’s server reads its secrets.',
        ...(replaced ? [`${name} was replaced: merchant keys that are not in the new settings stop working.`] : []),
        deploy !== null
          ? `${file} contains the password: run the command, which deletes the file. ${KEEP_A_COPY}${isLive ? SEALING_HINT : ''}`
          : file === null
            ? ((await secretCounts(context, id)) ?? 'The proxy serves the hotel at once.')
            : `Next: start the proxy with this file, then run: innkeep hotel check ${id}${envFlag(file)}`,
      ].join('\n'),
    );
    return EXIT.ok;
  },
});

async function propertyId(io: Io, given: string | undefined): Promise<string> {
  const validate = (text: string): string | undefined =>
    parsePropertyId(text) === undefined ? 'It must be 1 to 40 letters, digits and underscores.' : undefined;
  const text =
    given ?? (await io.prompter?.text({ message: 'Short name of the hotel', placeholder: 'aurora', validate }));
  if (text === undefined) throw usageError('The hotel has no id.', 'Give it one: innkeep hotel add aurora');
  const id = parsePropertyId(text);
  if (id === undefined) throw usageError(`“${text}” cannot be a hotel’s id. ${validate(text)}`);
  return id;
}

function envFlag(file: string): string {
  return file === DEFAULT_ENV_FILE ? '' : ` --env ${shellWords([file])}`;
}

function whereIs(name: string, file: string | null, deploy: string | null): string {
  if (file === null) return 'the directory';
  return deploy === null ? `${file} as ${name}` : file;
}

async function collectFields(io: Io, flags: AddFlags): Promise<Record<string, unknown>> {
  const json = flags.from === undefined ? {} : await readJsonObject(io, flags.from, '--from');
  const prompter = flags.from === undefined ? io.prompter : undefined;
  const fields = await collectHotelFields(io, json, { ...flags });
  const extra = {
    livemode: flags.live,
    surcharge: flags.surcharge,
    moto: flags.moto,
    expiresInUnit: flags.expiresInUnit,
    allowedOrigins: flags.allowedOrigin,
    viewOrigins: flags.viewOrigin,
    webhooks: flags.webhookUrl?.map((url) => ({ url })),
    maxAmount: flags.maxAmount === undefined ? undefined : minorUnits(flags.maxAmount),
    gateway: gatewayFields(io, json.gateway, flags),
  };
  Object.assign(fields, given(extra));
  if (prompter !== undefined && fields.livemode === undefined) {
    fields.livemode = await prompter.confirm('Does this hotel take real money (live mode)?');
  }
  if (prompter !== undefined && fields.webhooks === undefined) {
    const url = await prompter.text({ message: 'Webhook address of the hotel’s server (empty for none)' });
    if (url !== '') fields.webhooks = [{ url }];
  }
  if (prompter !== undefined && fields.gateway === undefined) {
    const validate = (key: string): string | undefined =>
      key === '' || /^[!-~]{40}$/.test(key) ? undefined : 'It must be 40 visible ASCII characters.';
    const apiKey = await prompter.secret({
      message: 'Key of the property-management gateway (empty for none)',
      validate,
    });
    if (apiKey !== '') fields.gateway = { apiKey, allow: flags.gatewayAllow ?? DEFAULT_GATEWAY_ALLOW };
  }
  return fields;
}

function minorUnits(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(parsePairs(words, '--max-amount')).map(([currency, minor]) => {
      if (/^[1-9]\d*$/.test(minor)) return [currency, Number(minor)];
      throw notInMinorUnits(`--max-amount ${currency}`);
    }),
  );
}

function gatewayFields(io: Io, json: unknown, { gatewayAllow: allow, gatewayKeyIn: apiKeyIn }: AddFlags): unknown {
  const apiKey = io.env.INNKEEP_GATEWAY_API_KEY || undefined;
  if (json === undefined && apiKey === undefined) {
    if (allow === undefined && apiKeyIn === undefined) return undefined;
    throw usageError('The gateway has no key.', 'Set INNKEEP_GATEWAY_API_KEY, or put gateway.apiKey into --from.');
  }
  return { allow: DEFAULT_GATEWAY_ALLOW, ...Object(json), ...given({ apiKey, allow, apiKeyIn }) };
}

/** Gives every webhook without a secret a fresh one. @returns the fresh ones */
function addWebhookSecrets(io: Io, fields: Record<string, unknown>): readonly { url: string; secret: string }[] {
  if (!Array.isArray(fields.webhooks)) return [];
  const fresh: { url: string; secret: string }[] = [];
  fields.webhooks = fields.webhooks.map((webhook: unknown) => {
    const { url, secret } = Object(webhook) as { url?: unknown; secret?: unknown };
    if (typeof url !== 'string' || secret !== undefined) return webhook;
    const made = { ...Object(webhook), url, secret: makeWebhookSecret(io.randomBytes) };
    fresh.push({ url, secret: made.secret });
    return made;
  });
  return fresh;
}

async function tryLogin(io: Io, property: PropertyInput): Promise<string> {
  const { status, message, fix } = await checkLogin(io, property, connectUpstream(io, property));
  if (status === 'ok') return 'accepted';
  const next = [fix ?? '', 'To write the settings anyway: --no-login-check'];
  throw failure('login_failed', `The login does not work, so nothing was written. ${message}`, ...next);
}
