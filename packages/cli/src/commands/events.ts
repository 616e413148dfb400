import { Option } from 'commander';
import { EXIT } from '../failures/exit-code.ts';
import { given } from '../input/given.ts';
import { detailList, table } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { parseCount, parsePosition } from './shared-options.ts';

interface ListFlags {
  readonly after?: number;
  readonly limit?: number;
}

const list = defineCommand<ListFlags>({
  usage: 'list',
  summary: 'Read the feed of events, oldest first',
  details: [
    'Every outcome of a session, charge or reversal is in the feed once, in order, for 90 days.',
    'With a platform key and no --property it reads the feed of all its hotels, which has positions of its own.',
  ].join('\n'),
  options: [
    new Option('--after <position>', 'only events after this position; 0 is the beginning').argParser(parsePosition),
    new Option('--limit <count>', 'at most this many, 1 to 100').argParser(parseCount),
  ],
  examples: ['innkeep events list --after 40', 'innkeep events list --limit 100 --json'],
  async run(context, _args, { after = 0, limit }) {
    const events = await context.events();
    const page = await events.list({ after, ...given({ limit }) }, { signal: context.io.signal });
    const text = table(page.data, [
      ['AFTER', (event) => ('position' in event ? event.position : event.seq)],
      ['HOTEL', ({ property }) => property],
      ['ID', ({ id }) => id],
      ['TYPE', ({ type }) => type],
      ['OBJECT', ({ data }) => data.object.id],
      ['TIME', ({ timestamp }) => timestamp],
    ]);
    await context.answer(page, text);
    const { nextAfter } = page;
    if (context.isJson) return EXIT.ok;
    if (nextAfter > after) await context.note(`Continue with --after ${nextAfter}`);
    if (nextAfter < after) {
      await context.note(`The feed ends at ${nextAfter}, before ${after}: it was set back, or has not got that far.`);
    }
    return EXIT.ok;
  },
});

const redeliver = defineCommand<object>({
  usage: 'redeliver <event>',
  summary: 'Send an event to the hotel’s webhooks again',
  details:
    'Every endpoint gets it, with the same id. A paused endpoint is tried at once. One that answered 410 opens again, and gets what waits for it.',
  examples: ['innkeep events redeliver ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
  async run(context, [id = '']) {
    const { events, webhookEndpoints } = await context.merchant();
    const { signal } = context.io;
    const { data: endpoints } = await webhookEndpoints.list({ signal });
    await events.redeliver(id, { signal });
    const isSent = endpoints.length > 0;
    const sent = isSent ? id : 'to nobody: the hotel has no webhook endpoint';
    return context.answer({ id, redelivered: isSent }, detailList([['Sent again', sent]]));
  },
});

export const EVENTS_COMMANDS: CommandGroup = {
  name: 'events',
  summary: 'The feed of events and their webhooks',
  commands: [list, redeliver],
};
