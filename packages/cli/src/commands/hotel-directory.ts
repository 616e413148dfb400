/** Hotels of the directory: listing and showing them. */
import type { PropertyResource } from '@innkeep/core/contract';
import type { ListProperties } from '@innkeep/core/merchant';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitCode } from '../failures/exit-code.ts';
import { requirePropertyId } from '../property/property.ts';
import { authorText } from '../terminal/author-text.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { keyInWords } from './key-commands.ts';
import { answerPages } from './list-command.ts';
import { parseCount } from './shared-options.ts';

interface ListFlags extends ListProperties {
  readonly all?: true;
}

export const hotelList: CommandSpec<ListFlags> = defineCommand<ListFlags>({
  usage: 'list',
  summary: 'List the hotels of the deployment that a platform key is for',
  options: [
    new Option('--search <text>', 'only those whose id or name contains this text'),
    new Option('--status <status>', 'only these').choices(['active', 'removed']),
    new Option('--limit <count>', 'at most this many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the page before'),
    new Option('--all', 'every page').conflicts(['cursor', 'limit']),
  ],
  examples: ['innkeep hotel list --search alpine', 'innkeep hotel list --all --json'],
  async run(context, _args, { all, search, status, limit, cursor }) {
    const { properties } = await context.platform();
    const read = (page: ListProperties) => properties.list({ search, status, ...page }, { signal: context.io.signal });
    return answerPages(context, { all, limit, cursor }, read, [
      ['ID', ({ id }) => id],
      ['NAME', ({ displayName }) => displayName],
      ['MODE', ({ livemode }) => modeText(livemode)],
      ['STATUS', ({ status: state }) => state],
      ['SOURCE', ({ source }) => source],
      ['VERSION', ({ version }) => version],
      ['CHANGED', ({ updatedAt }) => updatedAt],
    ]);
  },
});

export const hotelShow: CommandSpec = defineCommand<object>({
  usage: 'show <id>',
  summary: 'Show a hotel’s configuration, without its secrets',
  examples: ['innkeep hotel show aurora', 'innkeep hotel show aurora --json'],
  async run(context, [givenId = '']) {
    const { properties } = await context.platform();
    return answerHotel(context, await properties.retrieve(requirePropertyId(givenId), { signal: context.io.signal }));
  },
});

export const hotelVersions: CommandSpec<ListProperties> = defineCommand<ListProperties>({
  usage: 'versions <id>',
  summary: 'Show what was changed in a hotel’s configuration, when and by whom',
  details: 'Newest first. It names fields, including secrets, but shows no values.',
  options: [
    new Option('--limit <count>', 'at most this many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the page before'),
  ],
  examples: ['innkeep hotel versions aurora'],
  async run(context, [givenId = ''], { limit, cursor }) {
    const { properties } = await context.platform();
    const id = requirePropertyId(givenId);
    const read = (page: ListProperties) => properties.versions(id, page, { signal: context.io.signal });
    return answerPages(context, { limit, cursor }, read, [
      ['VERSION', ({ version }) => version],
      ['TIME', ({ at }) => at],
      ['BY', ({ by }) => authorText(by)],
      ['WHAT', ({ action, copyOf }) => (copyOf === null ? action : `${action} to ${copyOf}`)],
      ['FIELDS', ({ fields }) => fields.join(', ')],
      ['KEPT', ({ isKept }) => (isKept ? 'yes' : 'no')],
    ]);
  },
});

/** Shows a hotel, also after a change. */
export function answerHotel(context: CommandContext, hotel: PropertyResource): Promise<ExitCode> {
  const { settings, secrets, problem } = hotel;
  return context.answer(
    hotel,
    detailList([
      ['Hotel', hotel.id],
      ['Name', hotel.displayName],
      ['Mode', modeText(hotel.livemode)],
      ['Status', hotel.status],
      ...(problem === null ? [] : [['Problem', `${problem.field} ${problem.message}`.trim()] as const]),
      ['Source', hotel.source],
      ['Version', hotel.version],
      ['Changed', hotel.updatedBy === null ? null : `${hotel.updatedAt} by ${authorText(hotel.updatedBy)}`],
      ...(settings?.merchantKeys ?? []).map((key) => ['Merchant key', keyInWords(key)] as const),
      ...(settings?.webhooks ?? []).map(({ host }) => ['Webhook', host] as const),
      ['Origins', settings?.origins.join(', ')],
      ['Payment service', settings?.baseUrl],
      ['Secrets', secrets.join(', ')],
    ]),
  );
}

function modeText(livemode: boolean | null): string | null {
  if (livemode === null) return null;
  return livemode ? 'live' : 'test';
}
