/**
 * What people and machines do in a world: commands that fast-check draws and makes fewer. A command names what it is
 * about by a number, counted round what there is by then, so that every shorter history is one, too.
 */
import fc from 'fast-check';
import { DIRECTORY_CHANGES, type DirectoryChange } from './operator.ts';
import { type AwayBinding, ENDPOINT_KINDS, type EndpointKind, type Faults, type PlatformReach } from './world.ts';

/** One thing that somebody does. */
export type Command =
  | {
      readonly do: 'charge';
      readonly hotel: number;
      readonly reference: number;
      readonly amount: number;
      readonly key: number;
      readonly allowDuplicate: boolean;
      readonly copies: number;
      /** The copies have keys of their own: one person presses the button in two windows. */
      readonly areTwins: boolean;
      readonly waits: boolean;
    }
  | {
      readonly do: 'reverse';
      /** Of the charges and attempts that were paid. */
      readonly payment: number;
      /** Hundreds of minor units; 0: all that is left. */
      readonly part: number;
      readonly key: number;
      /** With the key that has a limit. */
      readonly isLimited?: boolean;
      readonly copies: number;
      readonly waits: boolean;
    }
  | {
      readonly do: 'session';
      readonly hotel: number;
      readonly reference: number;
      readonly kind: 'payment' | 'card';
      readonly amount: number;
      readonly surcharge: boolean;
      readonly expires: number;
      /** Undefined: none. */
      readonly key: number | undefined;
      readonly copies: number;
    }
  /** The one session of a key, as the hotel wants it now. */
  | {
      readonly do: 'ensure';
      readonly hotel: number;
      /** Its reference follows from it, and whether a card is to be stored. */
      readonly key: number;
      readonly amount: number;
      readonly surcharge: boolean;
      readonly expires: number;
      readonly copies: number;
      readonly waits: boolean;
    }
  | {
      readonly do: 'start';
      readonly session: number;
      readonly copies: number;
      readonly waits: boolean;
      /** In the last moment before the session ends. */
      readonly isLast: boolean;
      /** From a page that was loaded before. */
      readonly isStale?: boolean;
    }
  | { readonly do: 'link'; readonly session: number }
  | {
      readonly do: 'startLink';
      readonly link: number;
      readonly copies: number;
      readonly waits: boolean;
      readonly isStale?: boolean;
    }
  /** From the page on which a guest came back. */
  | { readonly do: 'retry'; readonly form: number; readonly copies: number; readonly waits: boolean }
  | {
      readonly do: 'guest';
      readonly page: number;
      readonly act: 'pay' | 'decline' | 'cancel' | 'leave';
      readonly card: number;
      /** How long the status says error, whatever is true. */
      readonly falseErrorS: number;
      readonly returns: 'no' | 'success' | 'abort' | 'twice';
    }
  | { readonly do: 'expire' | 'refresh' | 'read'; readonly session: number }
  | { readonly do: 'resolve'; readonly which: number; readonly copies: number }
  | {
      readonly do: 'again';
      readonly request: number;
      readonly isOther: boolean;
      /** At the moment of the next alarm of a charge or a reversal. */
      readonly isAtAlarm: boolean;
    }
  | { readonly do: 'list'; readonly hotel: number; readonly kind: number }
  | { readonly do: 'redeliver'; readonly hotel: number; readonly event: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: keyof typeof AWAY; readonly seconds: number }
  | { readonly do: 'endpoint'; readonly hotel: number; readonly kind: EndpointKind }
  | { readonly do: 'crash' }
  | { readonly do: 'clock' }
  | { readonly do: 'configure'; readonly hotel: number; readonly change: Change }
  | { readonly do: 'stranger'; readonly hotel: number; readonly which: number }
  | {
      readonly do: 'change';
      /** Of the directory, counted from its first one. */
      readonly which: number;
      readonly change: DirectoryChange;
      readonly copies: number;
      readonly isStale: boolean;
      readonly waits: boolean;
      /** After so many events of what is done next; 0: now. */
      readonly later?: number;
    }
  /** A new key that seals; everything sealed with it; and the older keys taken out. */
  | { readonly do: 'sealing'; readonly reseals: boolean; readonly drops?: boolean }
  /** A call with the newest key, or with one from before. */
  | { readonly do: 'key'; readonly which: number; readonly age: number; readonly waits: boolean }
  /** New keys of the operators, while whoever uses the old ones is at it. */
  | { readonly do: 'platformKeys' }
  /** The operator who reads may read other hotels, or none. */
  | { readonly do: 'reach'; readonly which: number }
  | { readonly do: 'feed' };

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

/** A change of a hotel's settings. */
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
export const CARDS: readonly string[] = [
  '4242424242424242',
  '4242424242424242',
  '4000000000010704',
  '4000000000010803',
  '4000000000010902',
  '4000000000011108',
  '4000000000011207',
  '4000000000011405',
  '4000000000011603',
  '4000000000011702',
  '4000000000011801',
  '4000000000011900',
  '4000000000012007',
  '4000000000012106',
  '4000000000012205',
  '4000000000012304',
  '4000000000012403',
  '4000000000012502',
];
const WAITS_S: readonly number[] = [0.05, 0.3, 1, 4, 10, 31, 65, 130, 700, 4_000, 65_000, 90_000];
const FALSE_ERRORS_S: readonly number[] = [0, 0, 0, 2, 4, 12, 90, 1_500, 40_000];

export const some = <Item>(items: readonly Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
const hotel = fc.nat(1);
const copies = some([1, 1, 1, 2, 3]);
const waits = some([true, true, false]);
const index = fc.nat(7);
const isStale = some([false, false, false, true]);

export const COMMANDS = {
  charge: {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      hotel,
      reference: fc.nat(1),
      amount: fc.nat(CHARGE_AMOUNTS.length - 1),
      key: fc.nat(3),
      allowDuplicate: some([false, false, true]),
      copies,
      areTwins: some([false, false, true]),
      waits,
    }),
  },
  reverse: {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      payment: index,
      part: some([0, 20, 30, 60, 79]),
      key: fc.nat(3),
      isLimited: some([false, false, true]),
      copies,
      waits,
    }),
  },
  session: {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('session' as const),
      hotel,
      reference: fc.nat(1),
      kind: some(['payment', 'payment', 'payment', 'card'] as const),
      amount: fc.nat(SESSION_AMOUNTS.length - 1),
      surcharge: fc.boolean(),
      expires: fc.nat(EXPIRES_S.length - 1),
      key: fc.option(fc.nat(3), { nil: undefined }),
      copies,
    }),
  },
  ensure: {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('ensure' as const),
      hotel,
      key: fc.nat(2),
      amount: fc.nat(SESSION_AMOUNTS.length - 1),
      surcharge: some([false, false, true]),
      expires: fc.nat(EXPIRES_S.length - 1),
      copies,
      waits,
    }),
  },
  start: {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      session: index,
      copies,
      waits,
      isLast: some([false, false, false, false, true]),
      isStale,
    }),
  },
  link: { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), session: index }) },
  startLink: {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('startLink' as const), link: index, copies, waits, isStale }),
  },
  retry: { weight: 3, arbitrary: fc.record({ do: fc.constant('retry' as const), form: index, copies, waits }) },
  guest: {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('guest' as const),
      page: index,
      act: some(['pay', 'pay', 'pay', 'pay', 'decline', 'cancel'] as const),
      card: fc.nat(CARDS.length - 1),
      falseErrorS: some(FALSE_ERRORS_S),
      returns: some(['no', 'success', 'success', 'abort', 'twice'] as const),
    }),
  },
  manage: { weight: 2, arbitrary: fc.record({ do: some(['expire', 'refresh', 'read'] as const), session: index }) },
  resolve: { weight: 2, arbitrary: fc.record({ do: fc.constant('resolve' as const), which: index, copies }) },
  again: {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('again' as const),
      request: index,
      isOther: some([false, false, true]),
      isAtAlarm: some([false, false, true]),
    }),
  },
  list: { weight: 1, arbitrary: fc.record({ do: fc.constant('list' as const), hotel, kind: fc.nat(2) }) },
  redeliver: { weight: 1, arbitrary: fc.record({ do: fc.constant('redeliver' as const), hotel, event: index }) },
  wait: { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: some(WAITS_S) }) },
  ledgerAway: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('ledgerAway' as const), seconds: some([1, 20, 600]) }),
  },
  endpoint: {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('endpoint' as const), hotel, kind: some(ENDPOINT_KINDS) }),
  },
  crash: { weight: 1, arbitrary: some([{ do: 'crash' }, { do: 'clock' }] as const) },
  configure: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('configure' as const), hotel, change: some(CHANGES) }),
  },
  stranger: { weight: 1, arbitrary: fc.record({ do: fc.constant('stranger' as const), hotel, which: index }) },
};

const away = (weight: number, name: keyof typeof AWAY, ...seconds: number[]): fc.WeightedArbitrary<Command> => ({
  weight,
  arbitrary: some(seconds).map((seconds) => ({ do: name, seconds })),
});

/** What is done about the directory, and about those who look after its hotels. */
export const DIRECTORY_COMMANDS = {
  change: {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      which: fc.nat(1),
      change: some(DIRECTORY_CHANGES),
      copies: some([1, 1, 1, 2]),
      isStale: some([false, false, false, false, true]),
      waits: some([true, true, false]),
      later: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(60) }),
    }),
  },
  sealing: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('sealing' as const), reseals: fc.boolean(), drops: fc.boolean() }),
  },
  key: {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('key' as const), which: fc.nat(1), age: some([0, 0, 1, 1, 2, 3]), waits }),
  },
  directoryAway: away(1, 'directoryAway', 1, 4, 20, 300),
  propertyAway: away(1, 'propertyAway', 1, 4, 20, 300),
  feedAway: away(1, 'feedAway', 1, 20, 600),
  platformKeys: { weight: 1, arbitrary: fc.constant<Command>({ do: 'platformKeys' }) },
  reach: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reach' as const), which: fc.nat(REACHES.length - 1) }),
  },
  feed: { weight: 2, arbitrary: fc.constant<Command>({ do: 'feed' }) },
};
