/** Webhook endpoints of a hotel, and of a platform: adding them, and replacing the secrets that sign. */
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { makeWebhookSecret } from '../property/secrets.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { whenItCounts } from './hotel-target.ts';
import {
  HOTEL_OPTIONS,
  type OpenSettings,
  openHotel,
  openPlatform,
  PLATFORM_OPTIONS,
  type SettingsFlags,
} from './open-settings.ts';
import type { StoredWebhook } from './webhook-file.ts';

interface WebhookFlags extends SettingsFlags {
  readonly properties?: readonly string[];
}

/** The endpoints after a command, and the secret that it shows. */
interface Change {
  readonly webhooks: readonly StoredWebhook[];
  readonly webhook: StoredWebhook;
  readonly secret?: string;
}

type Edit = (context: CommandContext, before: readonly StoredWebhook[], word: string, flags: WebhookFlags) => Change;

const add: Edit = ({ io }, before, url, { properties }) => {
  if (before.some((each) => each.url === url)) throw usageError('This endpoint exists already. Nothing was changed.');
  const secret = makeWebhookSecret(io.randomBytes);
  const webhook = { url, secret, ...(properties && { properties }) };
  return { webhooks: [...before, webhook], webhook, secret };
};

const rotate: Edit = ({ io }, before, word) => {
  const found = find(before, word);
  const secrets = [found.secret].flat();
  if (secrets.length > 2) {
    throw usageError('It has three secrets already. Nothing was changed.', 'Remove the old ones first: webhook retire');
  }
  const secret = makeWebhookSecret(io.randomBytes);
  return { ...replaced(before, found, { ...found, secret: [secret, ...secrets] }), secret };
};

const retire: Edit = (_context, before, word) => {
  const found = find(before, word);
  const [newest = '', ...older] = [found.secret].flat();
  if (older.length === 0) throw usageError('It has only one secret. Nothing was changed.');
  return replaced(before, found, { ...found, secret: newest });
};

const remove: Edit = (_context, before, word) => {
  const webhook = find(before, word);
  return { webhooks: before.filter((each) => each !== webhook), webhook };
};

export const HOTEL_WEBHOOK_COMMANDS: CommandGroup = webhookCommands({
  owner: 'hotel',
  options: [
    ...HOTEL_OPTIONS,
    new Option(
      '--from <file>',
      'present endpoints with their secrets as JSON, - for standard input; with --deploy all settings',
    ),
  ],
  open: openHotel,
  details:
    'Secrets in the directory can be written but never read: give the present endpoints with --from, which takes what the previous command printed with --json. For a hotel that is a secret, add --env, or --deploy with --from.',
});

export const PLATFORM_WEBHOOK_COMMANDS: CommandGroup = webhookCommands({
  owner: 'platform',
  options: PLATFORM_OPTIONS,
  open: openPlatform,
});

function webhookCommands({
  owner,
  options,
  open,
  details,
}: {
  readonly owner: 'hotel' | 'platform';
  readonly options: readonly Option[];
  readonly open: typeof openHotel;
  readonly details?: string;
}): CommandGroup {
  const command = (
    usage: string,
    edit: Edit,
    { summary, more, shown }: { readonly summary: string; readonly more: string; readonly shown: string },
  ) =>
    defineCommand<WebhookFlags>({
      usage,
      summary,
      details: [more, details].filter((text) => text !== undefined).join('\n'),
      options:
        owner === 'platform' && edit === add
          ? [new Option('--properties <pattern...>', 'whose events (default: all hotels of its keys)'), ...options]
          : options,
      examples: [shown],
      run: async (context, [id = '', word = ''], flags) =>
        apply(context, await open(context, id, flags), { edit, word, flags }),
    });
  const [argument, example] = owner === 'hotel' ? ['id', 'aurora'] : ['platform', 'alpine'];
  const host = owner === 'hotel' ? 'hotel.example' : 'booking.example';
  const flags = owner === 'hotel' ? ' --from webhooks.json' : '';
  const line = (verb: string): string => `innkeep ${owner} webhook ${verb} ${example} ${host}${flags}`;
  return {
    name: 'webhook',
    summary: `Webhook endpoints of ${owner === 'hotel' ? 'a hotel' : 'a platform, for all its hotels'}`,
    commands: [
      command(`add <${argument}> <url>`, add, {
        summary: 'Send events to one more address',
        more: 'The command makes its secret, and shows it only once.',
        shown: `innkeep ${owner} webhook add ${example} https://${host}/events${flags}`,
      }),
      command(`rotate <${argument}> [endpoint]`, rotate, {
        summary: 'Add a new secret in front of the present ones',
        more: 'The secret is shown only once. Every delivery carries both signatures until `webhook retire`.',
        shown: line('rotate'),
      }),
      command(`retire <${argument}> [endpoint]`, retire, {
        summary: 'Remove all secrets but the newest',
        more: 'Do it once the receiver knows the new secret.',
        shown: line('retire'),
      }),
      command(`remove <${argument}> [endpoint]`, remove, {
        summary: 'Stop sending events to an address',
        more: 'Events that wait for it are not sent; the feed has them.',
        shown: line('remove'),
      }),
    ],
  };
}

async function apply(
  context: CommandContext,
  { id, webhooks: before, save }: OpenSettings,
  { edit, word, flags }: { readonly edit: Edit; readonly word: string; readonly flags: WebhookFlags },
): Promise<ExitCode> {
  if (before === undefined) {
    throw usageError(
      `The proxy never gives out the secrets of ${id}, and all endpoints are written together. Nothing was changed.`,
      'Give the present endpoints with --from FILE: what `innkeep hotel add --json` printed.',
      `If you do not have that, write all of them again: innkeep hotel set ${id} webhooks=@webhooks.json`,
    );
  }
  const { webhooks, webhook, secret } = edit(context, before, word, flags);
  const saved = await save({ webhooks });
  await context.answer(
    // All endpoints with their secrets, since the next change of a hotel in the directory needs them.
    { id, ...(secret !== undefined && { secret }), webhooks, ...saved },
    detailList([
      ['Endpoint', hostOf(webhook)],
      ['Webhook secret', secret],
      ['Secrets', webhooks.includes(webhook) ? [webhook.secret].flat().length : 'none: it gets no more events'],
      ['Written to', saved.file],
    ]),
  );
  const once = secret === undefined ? [] : ['The secret is shown only once. Keep it where the receiver reads it.'];
  await context.note([...once, whenItCounts(saved)].join('\n'));
  return EXIT.ok;
}

/** The endpoint of this host or address; the only one when none is named. Addresses may hold secrets: they are not repeated. */
function find(webhooks: readonly StoredWebhook[], word: string): StoredWebhook {
  const found = webhooks.filter((each) => word === '' || each.url === word || hostOf(each) === word);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw usageError(
    found.length === 0
      ? 'There is no such endpoint. Nothing was changed.'
      : 'It has more than one endpoint. Nothing was changed.',
    `Name one by its whole address or its host: ${webhooks.map(hostOf).join(', ') || 'there is none'}`,
  );
}

function hostOf({ url }: StoredWebhook): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid address';
}

function replaced(before: readonly StoredWebhook[], old: StoredWebhook, webhook: StoredWebhook): Change {
  return { webhooks: before.map((each) => (each === old ? webhook : each)), webhook };
}
