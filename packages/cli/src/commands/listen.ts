import { isInnkeepError } from '@innkeep/core/errors';
import { Option } from 'commander';
import { CliError, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { DATA_OPTION, parsePosition } from './shared-options.ts';

interface ListenFlags {
  readonly forwardTo?: string;
  readonly after?: number;
  readonly data?: string;
}

export const LISTEN_COMMAND: CommandSpec<ListenFlags> = defineCommand<ListenFlags>({
  usage: 'listen',
  summary: 'Show events as they happen, and send them to a server',
  details: [
    'Reads the event feed of the proxy in INNKEEP_ENDPOINT, or of the local stack that runs in this folder. You need no webhook for this, and existing webhooks still get every event. With a platform key and no --property it shows the events of all its hotels.',
    'With --forward-to each event is posted there, signed with INNKEEP_WEBHOOK_SECRET as the proxy would sign it.',
  ].join('\n'),
  options: [
    new Option('--forward-to <url>', 'post each event to this address'),
    new Option('--after <position>', 'begin after this position of the feed, instead of now').argParser(parsePosition),
    DATA_OPTION,
  ],
  examples: ['innkeep listen', 'innkeep listen --forward-to http://127.0.0.1:3000/hooks'],
  async run(context, _args, flags) {
    const { io, isJson } = context;
    const [{ localHotel }, { endOfFeed }, { eventLine }, { forward }, { signWebhook }] = await Promise.all([
      import('../dev/local-hotel.ts'),
      import('../dev/end-of-feed.ts'),
      import('../dev/event-line.ts'),
      import('../dev/forward.ts'),
      import('@innkeep/core/webhooks'),
    ]);
    const forwardTo = checkedAddress(flags.forwardTo);
    const isLocal = flags.data !== undefined || context.endpoint() === undefined;
    const local = isLocal ? await localHotel(context, flags.data) : undefined;
    const events = local?.merchant.events ?? (await context.events());
    const secret = io.env.INNKEEP_WEBHOOK_SECRET ?? local?.keys.webhookSecret;
    if (forwardTo !== undefined) await requireSecret(secret, io.now());
    const after = flags.after ?? (await endOfFeed(events, io.signal));
    const from = local?.report.proxyUrl ?? context.endpoint();
    await context.note(`Listening to ${from}${forwardTo === undefined ? '' : ` for ${forwardTo}`}. Stop with Ctrl-C.`);
    let isDown = false;
    const onRetry = (): void => {
      if (!isDown) void io.warn('The proxy does not answer; still trying.');
      isDown = true;
    };
    const feed = events.follow({ after, pollIntervalMs: 1_000, signal: io.signal, onRetry });
    for await (const event of orSetBack(feed)) {
      isDown = false;
      let delivered = '';
      if (forwardTo !== undefined && secret !== undefined) {
        // The position is only in a platform's feed, not in a webhook.
        const body = Buffer.from(JSON.stringify({ ...event, position: undefined }));
        const signature = await signWebhook({ id: event.id, timestamp: io.now(), body, secret });
        const headers = { 'content-type': 'application/json', ...signature };
        const otherwise = 'it is not sent again';
        const { status = 0, text } = await forward(forwardTo, { headers, body, fetch: io.fetch, otherwise });
        // The printed event does not say how its delivery went.
        if (isJson && (status < 200 || status >= 300)) await io.warn(`${event.id} ${text}`);
        delivered = `  ${text}`;
      }
      const isRead = await io.writeOut(isJson ? `${JSON.stringify(event)}\n` : `${eventLine(event)}${delivered}\n`);
      if (isRead === false && forwardTo === undefined) break;
    }
    return EXIT.ok;
  },
});

/** A feed that was set back is not a mistake in the command line. */
async function* orSetBack<Event>(feed: AsyncIterable<Event>): AsyncGenerator<Event, void, void> {
  try {
    yield* feed;
  } catch (error) {
    if (!isInnkeepError(error, 'invalid_input')) throw error;
    throw new CliError(error.code, error.message, {
      exitCode: EXIT.failed,
      next: ['To begin with new events: innkeep listen', 'To begin after a position: innkeep listen --after 0'],
      details: error.toJSON(),
      cause: error,
    });
  }
}

/** Tries the secret before an event comes, which would be lost. @throws `usage` */
async function requireSecret(secret: string | undefined, timestamp: Date): Promise<void> {
  const step = 'Set INNKEEP_WEBHOOK_SECRET to what your server checks with: whsec_ and Base64 of at least 24 bytes.';
  if (secret === undefined || secret === '') throw usageError('There is no webhook secret.', step);
  const { signWebhook } = await import('@innkeep/core/webhooks');
  try {
    await signWebhook({ id: 'none', timestamp, body: '', secret });
  } catch (error) {
    if (!isInnkeepError(error, 'invalid_input')) throw error;
    throw usageError('INNKEEP_WEBHOOK_SECRET is no webhook secret.', step);
  }
}

function checkedAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageError(`--forward-to ${text} is not an address.`, 'Write the whole address: http://127.0.0.1:3000/hooks');
}
