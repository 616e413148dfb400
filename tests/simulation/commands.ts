/**
 * What people and machines do in a world: commands that fast-check draws and makes fewer. A command names what it is
 * about by a number, counted round what there is by then, so that every shorter history is one, too.
 */
import fc from 'fast-check';
import { DIRECTORY_CHANGES } from './operator.ts';
import { type AwayBinding, ENDPOINT_KINDS, type Faults, type PlatformReach } from './world.ts';

/** What can be away. */
export const AWAY = {
  ledgerAway: 'LEDGERS',
  directoryAway: 'DIRECTORIES',
  propertyAway: 'PROPERTIES',
  feedAway: 'FEEDS',
} as const satisfies Record<string, AwayBinding>;

const READ_ONLY = ['events'];
export const REACHES: readonly PlatformReach[] = [
  { scopes: READ_ONLY, properties: ['cedar'] },
  { scopes: READ_ONLY, properties: ['*'] },
  { scopes: READ_ONLY, properties: ['a*', 'd*'] },
  { scopes: ['checkout'], properties: ['*'] },
];

const CHANGES = ['break', 'repair', 'webhookUrl', 'origins', 'password', 'passwordForgotten', 'rollBack'] as const;
export type Change = (typeof CHANGES)[number];

/** Whether a command is about the directory, which the other histories do without. */
export function needsDirectory(command: Command): boolean {
  const isAbout = command.do in DIRECTORY_COMMANDS;
  return isAbout || ('hotel' in command && command.hotel >= FIRST_IN_DIRECTORY);
}

export const FIRST_IN_DIRECTORY = 2;

/** A whole history: which faults there are, and what is done. */
export interface History {
  readonly seed: number;
  readonly faults: Faults;
  readonly commands: readonly Command[];
}

/** Amounts of charges. The others are magic: see the sandbox's MAGIC.md. */
export const CHARGE_AMOUNTS: readonly number[] = [
  8_000, 8_000, 8_000, 6_601, 6_612, 6_613, 6_614, 6_615, 6_609, 6_618, 6_626,
];
export const SESSION_AMOUNTS: readonly number[] = [12_000, 12_000, 5_000];
/** Of minutes, an hour, and days. */
export const EXPIRES_S: readonly number[] = [60, 1_800, 1_800, 3_600, 86_400, 604_800];
export const HALF_AN_HOUR = 1;
export const A_DAY = 4;
const GOOD_CARD = '4242424242424242';
/** How the magic ones end. */
const MAGIC_ENDS = '0704 0803 0902 1108 1207 1405 1603 1702 1801 1900 2007 2106 2205 2304 2403 2502'.split(' ');
export const CARDS: readonly string[] = [GOOD_CARD, GOOD_CARD, ...MAGIC_ENDS.map((end) => `400000000001${end}`)];
const WAITS_S: readonly number[] = [0.05, 0.3, 1, 4, 10, 31, 65, 130, 700, 4_000, 65_000, 90_000];
const FALSE_ERRORS_S: readonly number[] = [0, 0, 0, 2, 4, 12, 90, 1_500, 40_000];

export const some = <Item>(items: readonly Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
const hotel = fc.nat(1);
const copies = some([1, 1, 1, 2, 3]);
const waits = some([true, true, false]);
const index = fc.nat(7);
/** From a page that was loaded before. */
const isStale = some([false, false, false, true]);

/** A command of a name, and how often it is drawn beside the others. */
function command<const Name extends string, Fields extends object>(
  weight: number,
  name: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<{ do: Name } & Fields> } {
  const arbitrary = fc.record({ do: fc.constant(name), ...fields });
  // The compiler does not put the two together.
  return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<{ do: Name } & Fields> };
}

export const COMMANDS = {
  charge: command(5, 'charge', {
    hotel,
    reference: fc.nat(1),
    amount: fc.nat(CHARGE_AMOUNTS.length - 1),
    key: fc.nat(3),
    allowDuplicate: some([false, false, true]),
    copies,
    /** The copies have keys of their own: one person presses the button in two windows. */
    areTwins: some([false, false, true]),
    waits,
  }),
  reverse: command(5, 'reverse', {
    /** Of the charges and attempts that were paid. */
    payment: index,
    /** Hundreds of minor units; 0: all that is left. */
    part: some([0, 20, 30, 60, 79]),
    key: fc.nat(3),
    /** With the key that has a limit. */
    isLimited: some([false, false, true]),
    copies,
    waits,
  }),
  session: command(4, 'session', {
    hotel,
    reference: fc.nat(1),
    kind: some(['payment', 'payment', 'payment', 'card'] as const),
    amount: fc.nat(SESSION_AMOUNTS.length - 1),
    surcharge: fc.boolean(),
    expires: fc.nat(EXPIRES_S.length - 1),
    key: fc.option(fc.nat(3), { nil: undefined }),
    copies,
  }),
  /** The one session of a key, as the hotel wants it now. */
  ensure: command(4, 'ensure', {
    hotel,
    /** Its reference follows from it, and whether a card is to be stored. */
    key: fc.nat(2),
    amount: fc.nat(SESSION_AMOUNTS.length - 1),
    surcharge: some([false, false, true]),
    expires: fc.nat(EXPIRES_S.length - 1),
    copies,
    waits,
  }),
  start: command(5, 'start', {
    session: index,
    copies,
    waits,
    /** In the last moment before the session ends. */
    isLast: some([false, false, false, false, true]),
    isStale,
  }),
  link: command(2, 'link', { session: index }),
  startLink: command(3, 'startLink', { link: index, copies, waits, isStale }),
  /** From the page on which a guest came back. */
  retry: command(3, 'retry', { form: index, copies, waits }),
  guest: command(6, 'guest', {
    page: index,
    /** In the corpus a guest may leave, too. */
    act: some<'pay' | 'decline' | 'cancel' | 'leave'>(['pay', 'pay', 'pay', 'pay', 'decline', 'cancel']),
    card: fc.nat(CARDS.length - 1),
    /** How long the status says error, whatever is true. */
    falseErrorS: some(FALSE_ERRORS_S),
    returns: some(['no', 'success', 'success', 'abort', 'twice'] as const),
  }),
  manage: { weight: 2, arbitrary: fc.record({ do: some(['expire', 'refresh', 'read'] as const), session: index }) },
  resolve: command(2, 'resolve', { which: index, copies }),
  again: command(3, 'again', {
    request: index,
    isOther: some([false, false, true]),
    /** At the moment of the next alarm of a charge or a reversal. */
    isAtAlarm: some([false, false, true]),
  }),
  list: command(1, 'list', { hotel, kind: fc.nat(2) }),
  redeliver: command(1, 'redeliver', { hotel, event: index }),
  wait: command(6, 'wait', { seconds: some(WAITS_S) }),
  ledgerAway: command(1, 'ledgerAway', { seconds: some([1, 20, 600]) }),
  endpoint: command(2, 'endpoint', { hotel, kind: some(ENDPOINT_KINDS) }),
  crash: { weight: 1, arbitrary: some([{ do: 'crash' }, { do: 'clock' }] as const) },
  configure: command(1, 'configure', { hotel, change: some(CHANGES) }),
  stranger: command(1, 'stranger', { hotel, which: index }),
};

const away = <Name extends keyof typeof AWAY>(weight: number, name: Name, ...seconds: number[]) => ({
  weight,
  arbitrary: some(seconds).map((seconds) => ({ do: name, seconds })),
});

/** What is done about the directory, and about those who look after its hotels. */
export const DIRECTORY_COMMANDS = {
  change: command(8, 'change', {
    /** Of the directory, counted from its first one. */
    which: fc.nat(1),
    change: some(DIRECTORY_CHANGES),
    copies: some([1, 1, 1, 2]),
    isStale: some([false, false, false, false, true]),
    waits: some([true, true, false]),
    /** After so many events of what is done next; 0: now. */
    later: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(60) }),
  }),
  /** A new key that seals; everything sealed with it; and the older keys taken out. */
  sealing: command(1, 'sealing', { reseals: fc.boolean(), drops: fc.boolean() }),
  /** A call with the newest key, or with one from before. */
  key: command(5, 'key', { which: fc.nat(1), age: some([0, 0, 1, 1, 2, 3]), waits }),
  directoryAway: away(1, 'directoryAway', 1, 4, 20, 300),
  propertyAway: away(1, 'propertyAway', 1, 4, 20, 300),
  feedAway: away(1, 'feedAway', 1, 20, 600),
  /** New keys of the operators, while whoever uses the old ones is at it. */
  platformKeys: { weight: 1, arbitrary: fc.constant({ do: 'platformKeys' as const }) },
  /** The operator who reads may read other hotels, or none. */
  reach: command(1, 'reach', { which: fc.nat(REACHES.length - 1) }),
  feed: { weight: 2, arbitrary: fc.constant({ do: 'feed' as const }) },
};

type Drawn<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly arbitrary: fc.Arbitrary<infer One> } ? One : never;
}[keyof Table];

/** One thing that somebody does. In the corpus it may lack what was added to its table later: that counts as false. */
export type Command = Drawn<typeof COMMANDS> | Drawn<typeof DIRECTORY_COMMANDS>;

export type Of<Name extends Command['do']> = Extract<Command, { do: Name }>;
