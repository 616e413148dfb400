/** Hotels of the directory: looking at them. */
import type { PropertyResource, PropertySummary } from '@innkeep/core/contract';
import type { ListProperties, Page, PlatformClient } from '@innkeep/core/merchant';
import { Option } from 'commander';
import { usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import type { CommandContext } from '../operator/command-context.ts';
import { parsePropertyId } from '../property/property.ts';
import { facts, table } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { parseCount } from './shared-options.ts';

interface ListFlags extends ListProperties {
  readonly all?: true;
}

/** `innkeep hotel list`. */
export const hotelList: CommandSpec<ListFlags> = defineCommand<ListFlags>({
  usage: 'list',
  summary: 'List the hotels of the deployment that a platform key is for',
  options: [
    new Option('--search <text>', 'only those whose id or name holds this text'),
    new Option('--status <status>', 'only these').choices(['active', 'removed']),
    new Option('--limit <count>', 'at most so many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the one before'),
    new Option('--all', 'every page').conflicts(['cursor', 'limit']),
  ],
  examples: ['innkeep hotel list --search alpine', 'innkeep hotel list --all --json'],
  async run(context, _args, { all, search, status, limit, cursor }) {
    const { signal } = context.io;
    const { properties } = await context.operator();
    const filter = { search, status };
    const page =
      all === true
        ? await allHotels(properties, filter, signal)
        : await properties.list({ ...filter, limit, cursor }, { signal });
    const text = table<PropertySummary>(page.data, [
      ['ID', ({ id }) => id],
      ['NAME', ({ displayName }) => displayName],
      ['MODE', ({ livemode }) => modeText(livemode)],
      ['STATUS', ({ status: state }) => state],
      ['SOURCE', ({ source }) => source],
      ['VERSION', ({ version }) => version],
      ['CHANGED', ({ updatedAt }) => updatedAt],
    ]);
    await context.answer(page, text);
    if (page.nextCursor !== null && !context.isJson) await context.note(`There is more: --cursor ${page.nextCursor}`);
    return EXIT.ok;
  },
});

/** `innkeep hotel show`. */
export const hotelShow: CommandSpec = defineCommand<object>({
  usage: 'show <id>',
  summary: 'Show a hotel’s configuration, without its secrets',
  examples: ['innkeep hotel show aurora', 'innkeep hotel show aurora --json'],
  async run(context, [givenId = '']) {
    const { properties } = await context.operator();
    await answerHotel(context, await properties.retrieve(hotelId(givenId), { signal: context.io.signal }));
    return EXIT.ok;
  },
});

/** `innkeep hotel versions`. */
export const hotelVersions: CommandSpec<ListProperties> = defineCommand<ListProperties>({
  usage: 'versions <id>',
  summary: 'Show what was changed in a hotel’s configuration, when and by whom',
  details: 'The newest first. Fields are named, secrets among them; values are not shown.',
  options: [
    new Option('--limit <count>', 'at most so many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the one before'),
  ],
  examples: ['innkeep hotel versions aurora'],
  async run(context, [givenId = ''], { limit, cursor }) {
    const { properties } = await context.operator();
    const page = await properties.versions(hotelId(givenId), { limit, cursor }, { signal: context.io.signal });
    const text = table(page.data, [
      ['VERSION', ({ version }) => version],
      ['TIME', ({ at }) => at],
      ['BY', ({ by }) => by],
      ['WHAT', ({ action, copyOf }) => (copyOf === null ? action : `${action} to ${copyOf}`)],
      ['FIELDS', ({ fields }) => fields.join(', ')],
      ['KEPT', ({ isKept }) => (isKept ? 'yes' : 'no')],
    ]);
    await context.answer(page, text);
    if (page.nextCursor !== null && !context.isJson) await context.note(`There is more: --cursor ${page.nextCursor}`);
    return EXIT.ok;
  },
});

/** The id as addresses have it. @throws `usage` */
export function hotelId(text: string): string {
  const id = parsePropertyId(text);
  if (id !== undefined) return id;
  throw usageError(`“${text}” cannot be a hotel’s id.`, 'It is 1 to 40 letters, digits and underscores.');
}

/** Shows a hotel after a look or a change. */
export function answerHotel(context: CommandContext, hotel: PropertyResource): Promise<void> {
  const { settings, secrets, problem } = hotel;
  return context.answer(
    hotel,
    facts([
      ['Hotel', hotel.id],
      ['Name', hotel.displayName],
      ['Mode', modeText(hotel.livemode)],
      ['Status', hotel.status],
      ...(problem === null ? [] : [['Problem', `${problem.field} ${problem.message}`.trim()] as const]),
      ['Source', hotel.source],
      ['Version', hotel.version],
      ['Changed', hotel.updatedAt === null ? null : `${hotel.updatedAt} by ${hotel.updatedBy}`],
      ...(settings?.merchantKeys ?? []).map(
        ({ id, scopes }) => ['Merchant key', `${id}: ${scopes.join(', ')}`] as const,
      ),
      ...(settings?.webhooks ?? []).map(({ host }) => ['Webhook', host] as const),
      ['Origins', settings?.origins.join(', ')],
      ['Payment service', settings?.baseUrl],
      ['Secrets', secrets.join(', ')],
    ]),
  );
}

async function allHotels(
  { iterate }: PlatformClient['properties'],
  filter: ListProperties,
  signal: AbortSignal,
): Promise<Page<PropertySummary>> {
  const data: PropertySummary[] = [];
  for await (const hotel of iterate({ ...filter, limit: 100 }, { signal })) data.push(hotel);
  return { object: 'list', data, nextCursor: null };
}

function modeText(livemode: boolean | null): string | null {
  if (livemode === null) return null;
  return livemode ? 'live' : 'test';
}
