/** Commands that charges and reversals have in common: to show one, to list them, to resolve an unknown one. */
import {
  type Charge,
  MONEY_OPERATION_STATUSES,
  type MoneyOperationStatus,
  type Reversal,
} from '@innkeep/core/contract';
import type { MerchantClient, MoneyOperations } from '@innkeep/core/merchant';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitCode } from '../failures/exit-code.ts';
import { authorText } from '../terminal/author-text.ts';
import { moneyText, movedText } from '../terminal/money-text.ts';
import { resolutionText } from '../terminal/resolution-text.ts';
import { type Column, detailList } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { answerList, type ListFlags } from './list-command.ts';
import { type ResolveFlags, toResolution } from './resolution.ts';
import { listOptions, MOVED_AMOUNT_OPTIONS, RESOLVE_OPTIONS } from './shared-options.ts';

/** A kind of money operation, as its commands show it. */
export interface MoneyResource<Resource extends Charge | Reversal> {
  readonly noun: 'charge' | 'reversal';
  /** The calls of the client. */
  operations(merchant: MerchantClient): Pick<MoneyOperations<never, Resource>, 'retrieve' | 'list' | 'resolve'>;
  /** What only this kind shows: of one, and in a list. */
  details(resource: Resource): readonly (readonly [name: string, value: unknown])[];
  readonly columns: readonly Column<Resource>[];
  readonly exampleId: string;
  /** Flags of a complete `resolve`. */
  readonly exampleResolution: string;
}

/** `get`, `list` and `resolve`. */
export function moneyCommands<Resource extends Charge | Reversal>(
  kind: MoneyResource<Resource>,
): readonly CommandSpec[] {
  const { noun, operations, exampleId } = kind;
  const get = defineCommand<object>({
    usage: `get <${noun}>`,
    summary: `Show a ${noun}`,
    examples: [`innkeep ${noun} get ${exampleId}`],
    async run(context, [id = '']) {
      const { retrieve } = operations(await context.merchant());
      return answerMoney(context, kind, await retrieve(id, { signal: context.io.signal }));
    },
  });
  const list = defineCommand<ListFlags<MoneyOperationStatus>>({
    usage: 'list',
    summary: `List ${noun}s, newest first`,
    details: `A ${noun} appears here a moment after it changed.`,
    options: listOptions(MONEY_OPERATION_STATUSES),
    examples: [`innkeep ${noun} list --status unknown`, `innkeep ${noun} list --all --json`],
    async run(context, _args, flags) {
      const { list: read } = operations(await context.merchant());
      return answerList(context, flags, (query) => read(query, { signal: context.io.signal }), [
        ['ID', ({ id }) => id],
        ['STATUS', ({ status }) => status],
        ['AMOUNT', movedText],
        ...kind.columns,
        ['CREATED', ({ createdAt }) => createdAt],
      ]);
    },
  });
  const resolve = defineCommand<ResolveFlags>({
    usage: `resolve <${noun}>`,
    summary: `Record how an unknown ${noun} ended`,
    details: `Only for ${noun}s whose outcome is unknown, and only with evidence from the payment service.`,
    options: noun === 'charge' ? [...RESOLVE_OPTIONS, ...MOVED_AMOUNT_OPTIONS] : RESOLVE_OPTIONS,
    examples: [`innkeep ${noun} resolve ${exampleId} ${kind.exampleResolution}`],
    async run(context, [id = ''], flags) {
      const { resolve: send } = operations(await context.merchant());
      return answerMoney(context, kind, await send(id, toResolution(flags), { signal: context.io.signal }));
    },
  });
  // Each gets the flags of its own options: see CommandGroup.
  return [get, list, resolve];
}

/** Shows a charge or a reversal. */
export function answerMoney<Resource extends Charge | Reversal>(
  context: CommandContext,
  { noun, details }: MoneyResource<Resource>,
  resource: Resource,
): Promise<ExitCode> {
  const { id, status, final, livemode, amount, transactionId, error, by, note, createdAt, resolution } = resource;
  return context.answer(
    resource,
    detailList([
      [noun === 'charge' ? 'Charge' : 'Reversal', id],
      ['Status', `${status}${final ? '' : ' (not final)'}`],
      ['Mode', livemode ? 'live' : 'test'],
      ['Amount', moneyText(amount)],
      ...(resolution?.amount === undefined ? [] : [['Charged', moneyText(resolution.amount)] as const]),
      ...details(resource),
      ['Transaction', transactionId],
      ...(error === null ? [] : [['Error', `${error.code}: ${error.message}`] as const]),
      ...(resolution === undefined ? [] : [['Resolved', resolutionText(resolution)] as const]),
      ...(note === null ? [] : [['Note', note] as const]),
      ['By', authorText(by)],
      ['Created', createdAt],
    ]),
  );
}
