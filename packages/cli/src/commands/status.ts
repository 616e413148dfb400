import type { PropertySummary } from '@innkeep/core/contract';
import { isProblemError } from '@innkeep/core/errors';
import type { MerchantClient } from '@innkeep/core/merchant';
import { Option } from 'commander';
import { capacityFinding, countOf, findingsOf, type HotelStatus, isLate } from '../checks/hotel-status.ts';
import type { CommandContext } from '../context/command-context.ts';
import { EXIT } from '../failures/exit-code.ts';
import type { Io } from '../process/io.ts';
import { plainText } from '../terminal/plain-text.ts';
import { table } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { inParallel } from './in-parallel.ts';

interface StatusFlags {
  readonly all?: true;
}

const AT_ONCE = 8;

export const STATUS_COMMAND: CommandSpec<StatusFlags> = defineCommand<StatusFlags>({
  usage: 'status',
  summary: 'Show how hotels are doing: what is unknown, what waits, which webhook is paused, how full the ledger is',
  details: [
    'A merchant key shows its hotel; a platform key shows every hotel that it is for, or the one of --property. The key needs the scope read or events; a platform key needs read to show every hotel.',
    'Of many hotels, it shows those that need a look. Ends with 1 when there is one, or when a server of your own comes near the number of payments that it can poll at once; open sessions count as pending.',
  ].join('\n'),
  options: [new Option('--all', 'show every hotel, also those where all is well')],
  examples: ['innkeep status', 'innkeep status --property aurora --json'],
  async run(context, _args, { all = false }) {
    const { io, isJson } = context;
    const isOne = context.property() !== undefined || !context.hasPlatformKey();
    const taken: HotelStatus[] = [];
    const shown: HotelStatus[] = [];
    let inNeed = 0;
    const optionFor = (hotel: HotelStatus): string => (context.hasPlatformKey() ? ` --property ${hotel.property}` : '');
    const take = (hotel: HotelStatus): void => {
      const needsLook = findingsOf(hotel, '').length > 0;
      taken.push(hotel);
      if (needsLook) inNeed += 1;
      if (needsLook || all || isOne) shown.push(hotel);
    };
    if (isOne) take(await read(await context.merchant(), io));
    else await readAll(context, take);
    shown.sort((one, other) => (one.property < other.property ? -1 : 1));
    const found = shown.map((hotel) => ({ ...hotel, findings: findingsOf(hotel, optionFor(hotel)) }));
    const sentences = found.flatMap(({ property, findings }) =>
      findings.map((text) => `${property}: ${plainText(text)}\n`),
    );
    const server = capacityFinding(taken) ?? null;
    if (server !== null) sentences.push(`${server}\n`);
    const hotels = taken.length;
    const isOk = inNeed === 0 && server === null;
    await context.answer(
      { ok: isOk, hotels, inNeed, server, data: found },
      `${shown.length === 0 ? '' : statusTable(shown)}${sentences.join('')}`,
    );
    if (!isJson && !isOne) await context.note(summaryOf(hotels, inNeed, isOk));
    return isOk ? EXIT.ok : EXIT.failed;
  },
});

function summaryOf(hotels: number, inNeed: number, isOk: boolean): string {
  // Whoever watches nothing must not take it for all.
  if (hotels === 0) return 'The key is for no hotel that there is.';
  const all = hotels === 1 ? '1 hotel' : `${hotels} hotels`;
  return isOk ? `${all}: all is well.` : `${inNeed} of ${all} ${inNeed === 1 ? 'needs' : 'need'} a look.`;
}

async function readAll(context: CommandContext, take: (hotel: HotelStatus) => void): Promise<void> {
  const { io } = context;
  const { signal } = io;
  const readOne = async ({ id }: PropertySummary): Promise<void> => {
    try {
      take(await read(await context.merchant(id), io));
    } catch (error) {
      // A hotel that cannot be served does not hide the others; a key that may not ask ends the command.
      if (!isProblemError(error) || error.status < 404) throw error;
      take({ property: id, figures: null, endpoints: [], problem: `not served: ${error.message}` });
    }
  };
  const { properties } = await context.platform();
  const served: PropertySummary[] = [];
  // Nothing can be asked about a removed hotel.
  for await (const hotel of properties.list({ limit: 100 }, { signal }))
    if (hotel.status !== 'removed') served.push(hotel);
  await inParallel(served, AT_ONCE, readOne);
}

async function read(merchant: MerchantClient, { signal, now }: Pick<Io, 'signal' | 'now'>): Promise<HotelStatus> {
  const figures = await merchant.status({ signal });
  const { paused, disabled } = figures.webhooks;
  const hasLate = isLate(figures, now());
  const endpoints = paused + disabled > 0 || hasLate ? (await merchant.webhookEndpoints.list({ signal })).data : [];
  return {
    property: figures.property,
    figures,
    endpoints: endpoints.filter(({ status, waiting }) => status !== 'active' || (hasLate && waiting > 0)),
    problem: null,
  };
}

function statusTable(hotels: readonly HotelStatus[]): string {
  const figure = (read: (figures: NonNullable<HotelStatus['figures']>) => unknown) => (hotel: HotelStatus) =>
    hotel.figures === null ? null : read(hotel.figures);
  return table(hotels, [
    ['HOTEL', ({ property }) => property],
    ['UNKNOWN', figure((figures) => countOf(figures, 'unknown'))],
    ['WAITING', figure((figures) => countOf(figures, 'waiting'))],
    ['EVENTS WAITING', figure(({ webhooks }) => webhooks.waiting)],
    ['SINCE', figure(({ webhooks }) => webhooks.oldestWaitingAt)],
    ['LEDGER', figure(({ ledger }) => `${ledger.percent} %`)],
  ]);
}
