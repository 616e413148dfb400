/**
 * What people and machines do in a world: commands that fast-check draws and makes fewer. A command names what it is
 * about by a number, counted round what there is by then, so that every shorter history is one, too.
 */
import fc from 'fast-check';
import { DIRECTORY_CHANGES, type DirectoryChange, Operator } from './operator.ts';
import {
  CALM,
  CARD_TOKEN,
  type Call,
  DIRECTORY_HOTELS,
  ENDPOINT_KINDS,
  type EndpointKind,
  HOTELS,
  type HotelName,
  type Json,
  type Trouble,
  type World,
} from './world.ts';

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
      readonly payment: number;
      /** Hundreds of minor units; 0: all that is left. */
      readonly part: number;
      readonly key: number;
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
  | {
      readonly do: 'start';
      readonly session: number;
      readonly copies: number;
      readonly waits: boolean;
      /** In the last moment before the session ends. */
      readonly isLast: boolean;
    }
  | { readonly do: 'link'; readonly session: number }
  | { readonly do: 'startLink'; readonly link: number; readonly copies: number; readonly waits: boolean }
  | {
      readonly do: 'guest';
      readonly page: number;
      readonly act: 'pay' | 'decline' | 'cancel';
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
  | { readonly do: 'ledgerAway'; readonly seconds: number }
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
    }
  | { readonly do: 'sealing'; readonly reseals: boolean }
  /** A call with the newest key, or with one from before. */
  | { readonly do: 'key'; readonly which: number; readonly age: number; readonly waits: boolean }
  | { readonly do: 'directoryAway'; readonly seconds: number };

const CHANGES = ['break', 'repair', 'webhookUrl', 'origins', 'password', 'passwordForgotten', 'rollBack'] as const;

/** A change of a hotel's settings. */
export type Change = (typeof CHANGES)[number];

/** Whether a command is about the directory, which the other histories do without. */
export function needsDirectory(command: Command): boolean {
  const isAbout = ['change', 'sealing', 'key', 'directoryAway'].includes(command.do);
  return isAbout || ('hotel' in command && command.hotel >= FIRST_IN_DIRECTORY);
}

const FIRST_IN_DIRECTORY = 2;

/** A whole history: who has which trouble, and what is done. */
export interface History {
  readonly seed: number;
  readonly trouble: Trouble;
  readonly commands: readonly Command[];
}

/** Amounts of charges. The others are magic: see the sandbox's MAGIC.md. */
const CHARGE_AMOUNTS: readonly number[] = [8_000, 8_000, 8_000, 6_601, 6_612, 6_613, 6_614, 6_615, 6_609, 6_618, 6_626];
const SESSION_AMOUNTS: readonly number[] = [12_000, 12_000, 5_000];
/** Of minutes, an hour, and days. */
const EXPIRES_S: readonly number[] = [60, 1_800, 1_800, 3_600, 86_400, 604_800];
const HALF_AN_HOUR = 1;
const A_DAY = 4;
const CARDS: readonly string[] = [
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
const WAITS_S: readonly number[] = [0.05, 0.3, 1, 4, 10, 31, 65, 130, 700, 4_000, 90_000];
const FALSE_ERRORS_S: readonly number[] = [0, 0, 0, 2, 4, 12, 90, 1_500, 40_000];
/** How long somebody who does not wait lets a request run before the next thing happens. */
const IMPATIENCE_MS = 20;

const some = <Item>(items: readonly Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
const hotel = fc.nat(1);
const copies = some([1, 1, 1, 2, 3]);
const waits = some([true, true, false]);
const index = fc.nat(7);

const COMMANDS = {
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
      part: some([0, 30, 60, 79]),
      key: fc.nat(3),
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
  start: {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      session: index,
      copies,
      waits,
      isLast: some([false, false, false, false, true]),
    }),
  },
  link: { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), session: index }) },
  startLink: { weight: 3, arbitrary: fc.record({ do: fc.constant('startLink' as const), link: index, copies, waits }) },
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

/** What is done about the directory. */
const DIRECTORY_COMMANDS = {
  change: {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      which: fc.nat(1),
      change: some(DIRECTORY_CHANGES),
      copies: some([1, 1, 1, 2]),
      isStale: some([false, false, false, false, true]),
      waits: some([true, true, false]),
    }),
  },
  sealing: { weight: 1, arbitrary: fc.record({ do: fc.constant('sealing' as const), reseals: fc.boolean() }) },
  key: {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('key' as const), which: fc.nat(1), age: some([0, 0, 1, 1, 2, 3]), waits }),
  },
  directoryAway: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('directoryAway' as const), seconds: some([1, 4, 20, 300]) }),
  },
};

/** What a history is about: a mixture of everything meets everything, and a narrow one meets itself. */
const SUBJECTS: readonly (readonly (keyof typeof COMMANDS)[])[] = [
  ['charge', 'reverse', 'resolve', 'again', 'wait', 'crash', 'endpoint'],
  ['charge', 'reverse', 'again', 'wait'],
  ['reverse', 'again'],
  ['session', 'start', 'guest', 'manage', 'resolve', 'wait', 'reverse', 'configure', 'crash'],
  ['link', 'startLink', 'guest', 'manage', 'wait'],
  ['charge', 'endpoint', 'wait', 'configure', 'ledgerAway', 'redeliver', 'guest'],
];

/** Most defects need few commands, and two short histories take the time of a long one. */
const SHORT = 6;
const LONG = 12;

function commandsAbout(names: readonly (keyof typeof COMMANDS)[]): fc.Arbitrary<readonly Command[]> {
  const command = fc.oneof(...names.map((name): fc.WeightedArbitrary<Command> => COMMANDS[name]));
  const commands = (maxLength: number): fc.WeightedArbitrary<Command[]> => ({
    weight: maxLength === SHORT ? 2 : 1,
    arbitrary: fc.array(command, { minLength: 1, maxLength, size: 'max' }),
  });
  return fc.oneof(commands(SHORT), commands(LONG));
}

/** The same for the hotels of the directory, and now and then for another one. */
function inDirectory(commands: readonly Command[]): readonly Command[] {
  return commands.map((command, nth) =>
    'hotel' in command && command.do !== 'configure' && nth % 5 < 4
      ? { ...command, hotel: command.hotel + FIRST_IN_DIRECTORY }
      : command,
  );
}

/** The directory, and what its hotels do. */
const DIRECTORY_SUBJECTS: readonly (readonly (keyof typeof COMMANDS)[])[] = [
  ['list', 'wait', 'crash'],
  ['session', 'start', 'guest', 'manage', 'wait', 'link', 'startLink'],
  ['charge', 'reverse', 'again', 'wait', 'endpoint', 'stranger'],
];

function commandsAboutDirectory(names: readonly (keyof typeof COMMANDS)[]): fc.Arbitrary<readonly Command[]> {
  const command = fc.oneof(
    ...names.map((name): fc.WeightedArbitrary<Command> => COMMANDS[name]),
    ...Object.values(DIRECTORY_COMMANDS),
  );
  return fc.array(command, { minLength: 1, maxLength: LONG, size: 'max' }).map(inDirectory);
}

const often = (...likelihoods: number[]): fc.Arbitrary<number> => some([0, 0, 0, ...likelihoods]);

const troubleArbitrary: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(CALM) },
  // Nothing but messages: the others end more stories than they begin.
  {
    weight: 1,
    arbitrary: fc
      .record({ rpcLost: some([0, 0.1, 0.3]), rpcSlow: some([0.1, 0.3]) })
      .map((trouble) => ({ ...CALM, ...trouble })),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      crash: often(0.01, 0.03, 0.08),
      rpcLost: often(0.02, 0.08),
      rpcSlow: often(0.02, 0.1),
      netLost: often(0.02, 0.1),
      netSlow: often(0.02, 0.1),
      evict: often(0.1, 0.5),
      slowDisk: often(0.1, 0.5),
      lateAlarm: often(0.05, 0.3),
    }),
  },
);

const seed = fc.noShrink(fc.nat(0x7fffffff));

type Story = Pick<History, 'commands' | 'trouble'>;

/** Commands in a fixed order, some of which may be missing, under nothing but the troubles that are named. */
function story(
  steps: readonly fc.Arbitrary<Command | undefined>[],
  troubles: fc.Arbitrary<readonly string[]> = fc.constant([]),
): fc.Arbitrary<Story> {
  return fc.tuple(fc.tuple(...steps), troubles).map(([commands, certain]) => ({
    commands: commands.filter((command) => command !== undefined),
    trouble: certain.length === 0 ? CALM : { ...CALM, certain },
  }));
}

/** A command as the table draws it, but for what the story fixes. */
function step<Name extends keyof typeof COMMANDS>(name: Name, fixed: object = {}): fc.Arbitrary<Command> {
  const { arbitrary }: { readonly arbitrary: fc.Arbitrary<Command> } = COMMANDS[name];
  return arbitrary.map((command) => ({ ...command, ...fixed }));
}

const maybe = (command: fc.Arbitrary<Command>): fc.Arbitrary<Command | undefined> =>
  fc.option(command, { nil: undefined });

/** Messages to an object, or their answers, that get lost or take their time: the first, second or third of their kind. */
const lostOrSlow = (...labels: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(some(['rpcLost', 'rpcSlow']), some(labels), some(['', ' answer']), some([1, 1, 2, 3]))
    .map(([kind, label, part, nth]) => `${kind} ${label}${part} #${nth}`);

const crashOf = (label: string): fc.Arbitrary<string> =>
  fc
    .tuple(some(['before', 'after']), some([1, 2, 3, 4]))
    .map(([when, nth]) => `crash ${when} commit of ${label} #${nth}`);

const RESERVE = 'MONEY_OPERATIONS/ch1.reserveReversal';
const SETTLE = 'MONEY_OPERATIONS/ch1.settleReversal';
const CHARGE = step('charge', { hotel: 0, amount: 0, copies: 1, waits: true });
const REVERSAL = step('reverse', { payment: 0, key: 0, copies: 1, waits: true });

/** What random commands seldom bring together: the first charge or session of a world, and everything about it. */
const STORIES: readonly fc.Arbitrary<Story>[] = [
  // A reversal asks for its share and does not hear. It is asked for again …
  ...[
    // … while the share is given back …
    story(
      [CHARGE, REVERSAL, step('again', { request: 1, isAtAlarm: true }), maybe(step('reverse', { payment: 0 }))],
      fc.tuple(some(['', ' answer']).map((part) => `rpcLost ${RESERVE}${part} #1`)),
    ),
    // … which takes long …
    story(
      [
        CHARGE,
        REVERSAL,
        step('again', { request: 1, isAtAlarm: true }),
        step('wait'),
        maybe(step('reverse', { key: 1 })),
      ],
      fc.constant([`rpcLost ${RESERVE} answer #1`, `rpcSlow ${SETTLE} #1`]),
    ),
    // … or after another one has taken a part …
    story(
      [CHARGE, REVERSAL, step('reverse', { payment: 0, key: 1 }), step('reverse', { payment: 0, key: 0 })],
      fc.constant([`rpcSlow ${RESERVE} #1`]),
    ),
    // … or at any time, in whatever trouble.
    story(
      [
        CHARGE,
        step('reverse', { payment: 0, key: 0 }),
        maybe(step('wait')),
        step('again', { request: 1 }),
        maybe(step('again', { request: 1 })),
        maybe(step('reverse', { payment: 0 })),
        maybe(step('again', { request: 1 })),
      ],
      fc
        .tuple(
          lostOrSlow(RESERVE),
          fc.array(
            fc.oneof(lostOrSlow(RESERVE, SETTLE, 'ACCESS_TOKENS/at1.knownDownMs'), crashOf('MONEY_OPERATIONS/rv1')),
            {
              maxLength: 3,
            },
          ),
        )
        .map(([first, more]) => [first, ...more]),
    ),
  ],
  // Two sessions of one booking, both paid.
  story(
    [
      step('session', { hotel: 0, reference: 0, kind: 'payment', copies: 1 }),
      step('start', { session: 0, waits: true, isLast: false }),
      maybe(step('guest', { page: 0, act: 'pay', card: 0 })),
      maybe(step('wait')),
      step('session', { hotel: 0, reference: 0, kind: 'payment', copies: 1 }),
      step('start', { session: 1, waits: true, isLast: false }),
      step('guest', { page: 1, act: 'pay', card: 0 }),
      maybe(step('guest', { page: 0, act: 'pay', card: 0 })),
      maybe(step('manage')),
    ],
    fc.array(lostOrSlow('LEDGERS/aurora.append'), { maxLength: 2 }),
  ),
  // A guest pays while the status says error.
  story([
    step('session', { hotel: 0, kind: 'payment', copies: 1 }),
    step('start', { session: 0, waits: true, isLast: false }),
    step('guest', { page: 0, act: 'pay', card: 0 }),
    maybe(step('wait')),
    maybe(step('manage')),
    maybe(step('wait')),
  ]),
  // A link is opened, left, and opened again.
  story([
    step('session', { hotel: 0, kind: 'payment', expires: A_DAY, copies: 1 }),
    step('link', { session: 0 }),
    step('startLink', { link: 0 }),
    step('wait'),
    step('startLink', { link: 0 }),
    maybe(step('wait')),
    maybe(step('guest', { page: 0 })),
    maybe(step('guest', { page: 1 })),
  ]),
  // A start in the last moment.
  story([
    step('session', { hotel: 0, expires: 0, copies: 1 }),
    step('start', { session: 0, isLast: true }),
    maybe(step('guest', { page: 0 })),
    maybe(step('manage')),
  ]),
];

const change = (change: DirectoryChange, fixed: object = {}): fc.Arbitrary<Command> =>
  DIRECTORY_COMMANDS.change.arbitrary.map((command) => ({ ...command, which: 0, isStale: false, change, ...fixed }));
const aKeyChange = some(['rotateKey', 'addKey', 'rollBack', 'remove', 'replace', 'name'] as const).chain((name) =>
  change(name, { copies: 1 }),
);
const useKey = (age: number, waits = true): fc.Arbitrary<Command> => fc.constant({ do: 'key', which: 0, age, waits });
const seconds = (...choices: number[]): fc.Arbitrary<Command> =>
  some(choices).map((chosen) => ({ do: 'wait', seconds: chosen }));
const directoryTrouble = fc.array(
  fc.oneof(
    lostOrSlow(
      'PROPERTIES/cedar.read',
      'PROPERTIES/cedar.change',
      'DIRECTORIES/properties.publish',
      'DIRECTORIES/properties.announce',
      'DIRECTORIES/properties.changesAfter',
    ),
    crashOf('PROPERTIES/cedar'),
    crashOf('DIRECTORIES/properties'),
  ),
  { minLength: 1, maxLength: 3 },
);

/** The first hotel of the directory, while it changes. */
const DIRECTORY_STORIES: readonly fc.Arbitrary<Story>[] = [
  // A key is taken away, and used.
  story(
    [useKey(0), aKeyChange, seconds(0.3, 1, 4, 10), useKey(0), useKey(1), maybe(aKeyChange), seconds(4, 10), useKey(1)],
    directoryTrouble,
  ),
  // The configuration is read at the moment in which it changes.
  story(
    [
      maybe(useKey(0)),
      maybe(seconds(4)),
      useKey(0, false),
      change('rotateKey', { copies: 1, waits: true }),
      seconds(1, 4),
      useKey(0),
      seconds(10),
      useKey(1),
    ],
    fc.tuple(lostOrSlow('PROPERTIES/cedar.read', 'DIRECTORIES/properties.changesAfter')),
  ),
  // A hotel is removed, and the directory does not hear of it for a while.
  story(
    [
      useKey(0),
      change('remove', { copies: 1, waits: true }),
      seconds(6),
      useKey(0),
      maybe(seconds(10)),
      maybe(useKey(0)),
    ],
    fc.constant([1, 2, 3, 4].map((nth) => `rpcLost DIRECTORIES/properties.publish #${nth}`)),
  ),
  // Two hotels are to have one key.
  story(
    [
      maybe(aKeyChange),
      change('shareKey', { copies: 1 }),
      maybe(change('takeKey', { which: 1 })),
      maybe(aKeyChange),
      maybe(change('takeKey', { which: 1 })),
      seconds(4, 130),
      useKey(0),
    ],
    directoryTrouble,
  ),
  // A hotel is removed while a payment of it is under way.
  story(
    [
      step('session', { hotel: 2, kind: 'payment', copies: 1 }),
      maybe(step('start', { session: 0, waits: true, isLast: false })),
      change('remove', { copies: 1, waits: true }),
      maybe(step('guest', { page: 0, act: 'pay', card: 0 })),
      seconds(10, 130),
      step('start', { session: 0, waits: true, isLast: false }),
      maybe(step('guest', { page: 0, act: 'pay', card: 0 })),
      maybe(change('rollBack', { copies: 1, waits: true })),
    ],
    fc.array(lostOrSlow('DIRECTORIES/properties.publish', 'PROPERTIES/cedar.read'), { maxLength: 1 }),
  ),
];

/** Draws histories. */
export const historyArbitrary: fc.Arbitrary<History> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      seed,
      trouble: troubleArbitrary,
      commands: fc.oneof(
        // Every name that the table has.
        { weight: 3, arbitrary: commandsAbout(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) },
        ...SUBJECTS.map((names) => ({ weight: 1, arbitrary: commandsAbout(names) })),
        ...DIRECTORY_SUBJECTS.map((names) => ({ weight: 1, arbitrary: commandsAboutDirectory(names) })),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(seed, fc.oneof(...STORIES, ...DIRECTORY_STORIES)).map(([seed, told]) => ({ seed, ...told })),
  },
);

/** A session that somebody has made. */
export interface KnownSession {
  readonly hotel: HotelName;
  readonly id: string;
  readonly secret: string | undefined;
  readonly reference: string;
  readonly kind: 'payment' | 'card';
  readonly expiresAt: number;
  isExpiredByHand: boolean;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly hotel: HotelName;
  readonly path: string;
  readonly key: string;
  readonly body: Json;
  readonly call: Call;
}

/** A start of a session by its guest. */
export interface Start {
  readonly session: string;
  readonly call: Call;
}

/** What a history has led to so far. */
export class Play {
  readonly world: World;
  readonly sessions: KnownSession[] = [];
  readonly links: { readonly hotel: HotelName; readonly path: string; readonly session: string }[] = [];
  readonly pages: { readonly url: string; readonly session: string }[] = [];
  /** Payments that answered with success: ids of charges and sessions. */
  readonly payments: { readonly hotel: HotelName; readonly id: string }[] = [];
  readonly requests: KeyedRequest[] = [];
  readonly starts: Start[] = [];
  /** Resources as they were last seen, by id. */
  readonly seen = new Map<string, { readonly hotel: HotelName; readonly resource: Json }>();
  readonly operator: Operator;
  /** Instants at which the deployment or its objects were disturbed from outside. */
  isDisturbed = false;
  #calls = new Set<Call>();

  constructor(world: World) {
    this.world = world;
    this.operator = new Operator(world);
  }

  /** Does everything, one command after the other. */
  async run(commands: readonly Command[]): Promise<void> {
    if (this.world.hasDirectory) await this.#addHotels();
    for (const command of commands) {
      this.world.tell(`${JSON.stringify(command)}`);
      await this.#run(command);
    }
    await this.world.until([...this.#calls]);
  }

  /** Before any trouble. */
  async #addHotels(): Promise<void> {
    const { trouble } = this.world;
    this.world.trouble = CALM;
    await this.operator.addHotels();
    this.world.trouble = trouble;
  }

  async #run(command: Command): Promise<void> {
    switch (command.do) {
      case 'charge':
        return this.#charge(command);
      case 'reverse':
        return this.#reverse(command);
      case 'session':
        return this.#session(command);
      case 'start':
        return this.#start(command);
      case 'link':
        return this.#link(command.session);
      case 'startLink':
        return this.#startLink(command);
      case 'guest':
        return this.#guest(command);
      case 'expire':
      case 'refresh':
      case 'read':
        return this.#manage(command.do, command.session);
      case 'resolve':
        return this.#resolve(command);
      case 'again':
        return this.#again(command);
      case 'list':
        return this.#list(command);
      case 'redeliver':
        return this.#redeliver(command);
      case 'stranger':
        return this.#stranger(command);
      case 'change':
        return this.#change(command);
      case 'sealing':
        this.isDisturbed = true;
        return this.operator.rotateSealingKeys(command.reseals);
      case 'key':
        return this.#settle([this.operator.useKey(directoryHotel(command.which), command.age)], command.waits);
      case 'wait':
        return this.wait(command.seconds * 1_000);
      default:
        return this.#disturb(command);
    }
  }

  /** Lets time pass; over a long time the session's looks are thinned out. */
  async wait(ms: number): Promise<void> {
    const { world } = this;
    if (ms > 30_000) world.coarseFrom = world.scheduler.now;
    await world.pass(ms);
    world.coarseFrom = undefined;
  }

  /** Remembers a resource that the worker has answered with. */
  note(hotel: HotelName, resource: Json): void {
    const id = String(resource.id ?? '');
    if (!/^(cs|ch|rv)_/.test(id)) return;
    const { world } = this;
    world.tell(`  ${hotel} sees ${id}: ${String(resource.status)}`);
    if (resource.property !== undefined && resource.property !== hotel) {
      world.violations.push({ rule: 'hotels-apart', what: `${hotel} was shown ${id} of ${String(resource.property)}` });
    }
    const before = this.seen.get(id)?.resource;
    const isNewer = Number(resource.seq) >= Number(before?.seq);
    // Money that shows after a session has ended without it is the one exception.
    const isLate = /failed|canceled/.test(String(before?.status)) && /succeeded|unknown/.test(String(resource.status));
    const mayMove = id.startsWith('cs_') && isLate;
    if (before?.final === true && isNewer && before.status !== resource.status && !mayMove) {
      const what = `${id} was ${String(before.status)} for good and is ${String(resource.status)}`;
      world.violations.push({ rule: 'final-stays', what });
    }
    if (before === undefined || Number(resource.seq) >= Number(before.seq)) this.seen.set(id, { hotel, resource });
    const isPayment =
      resource.object === 'charge' || (resource.object === 'checkout_session' && resource.kind === 'payment');
    if (isPayment && resource.status === 'succeeded' && !this.payments.some((payment) => payment.id === id)) {
      this.payments.push({ hotel, id });
    }
  }

  async #settle(calls: readonly Call[], waits: boolean): Promise<void> {
    for (const call of calls) this.#calls.add(call);
    if (waits) await this.world.until(calls);
    // Somebody else may come at the very same moment.
    else if (this.world.scheduler.draw('patience') < 0.5) await this.world.pass(IMPATIENCE_MS);
    for (const call of calls) if (call.answer !== undefined) this.#calls.delete(call);
  }

  /** Notes the answers of calls once they are there, also of those nobody waits for. */
  #onAnswer(call: Call, take: (body: Json) => void, hotel?: HotelName): Call {
    this.world.onAnswer(call, () => {
      const { status, body } = call.answer ?? {};
      const owner = this.seen.get(String(body?.resource))?.hotel;
      if (hotel !== undefined && owner !== undefined && owner !== hotel) {
        const what = `${hotel} was told of ${String(body?.resource)} of ${owner}`;
        this.world.violations.push({ rule: 'hotels-apart', what });
      }
      this.world.tell(`  answered ${String(status)} ${String(body?.code ?? body?.status ?? '')}`);
      if (typeof status === 'number' && status >= 200 && status < 400) take(body ?? {});
    });
    return call;
  }

  /** A hotel for what has to be there first. */
  #firstHotel(which: number): number {
    return (which % 2) + (this.world.hasDirectory ? FIRST_IN_DIRECTORY : 0);
  }

  // ---- money -------------------------------------------------------------------------------------------------------

  async #charge(command: Extract<Command, { do: 'charge' }>): Promise<void> {
    const hotel = hotelOf(command.hotel);
    const body = {
      token: CARD_TOKEN,
      tokenFrom: 'moto',
      amount: { value: at(CHARGE_AMOUNTS, command.amount), currency: 'EUR' },
      reference: `R${command.reference}`,
      reason: 'no_show',
      ...(command.allowDuplicate ? { allowDuplicate: true } : {}),
    };
    await this.#sendKeyed(hotel, '/v1/charges', { ...command, key: `k${command.key}`, body });
  }

  async #reverse(command: Extract<Command, { do: 'reverse' }>): Promise<void> {
    if (this.payments.length === 0) await this.#charge({ ...FIRST_CHARGE, hotel: this.#firstHotel(command.payment) });
    const payment = pick(this.payments, command.payment);
    if (payment === undefined) return;
    const amount = command.part === 0 ? {} : { amount: { value: command.part * 100, currency: 'EUR' } };
    const body = { payment: payment.id, ...amount };
    await this.#sendKeyed(payment.hotel, '/v1/reversals', { ...command, key: `r${command.key}`, body });
  }

  async #sendKeyed(
    hotel: HotelName,
    path: string,
    how: { key: string; body: Json; copies: number; areTwins?: boolean; waits: boolean },
  ): Promise<void> {
    const calls = Array.from({ length: how.copies }, (_, nth) => {
      const key = how.areTwins === true && nth > 0 ? `${how.key}-${nth}` : how.key;
      const call = this.world.merchant(hotel, path, { ...how, key });
      this.requests.push({ hotel, path, key, body: how.body, call });
      return this.#onAnswer(call, (resource) => this.note(hotel, resource), hotel);
    });
    await this.#settle(calls, how.waits);
  }

  async #again({ request: which, isOther, isAtAlarm }: Extract<Command, { do: 'again' }>): Promise<void> {
    const request = pick(this.requests, which);
    if (request === undefined) return;
    if (isAtAlarm) await this.#untilAlarm();
    const { hotel, path, key } = request;
    const body = isOther
      ? { ...request.body, ...(path === '/v1/reversals' ? { amount: OTHER } : { reference: 'other' }) }
      : request.body;
    await this.#sendKeyed(hotel, path, { key, body, copies: 1, waits: true });
  }

  /** Until the next alarm of a charge or a reversal is due, and has not run. */
  async #untilAlarm(): Promise<void> {
    const { world } = this;
    const { now } = world.scheduler;
    const alarms = world.runtime.objectsOf('MONEY_OPERATIONS').flatMap(({ store: { alarm } }) => alarm ?? []);
    const next = Math.min(...alarms.filter((alarm) => alarm > now && alarm < now + 3_600_000));
    if (!Number.isFinite(next)) return;
    await world.pass(next - now - 1);
    world.scheduler.jump(1);
  }

  // ---- sessions ----------------------------------------------------------------------------------------------------

  async #session(command: Extract<Command, { do: 'session' }>): Promise<void> {
    const hotel = hotelOf(command.hotel);
    const reference = `R${command.reference}`;
    const expiresInSeconds = at(EXPIRES_S, command.expires);
    const body = {
      kind: command.kind,
      reference,
      expiresInSeconds,
      ...(command.kind === 'card'
        ? {}
        : { amount: { value: at(SESSION_AMOUNTS, command.amount), currency: 'EUR' }, surcharge: command.surcharge }),
    };
    const key = command.key === undefined ? undefined : `s${command.key}`;
    const calls = Array.from({ length: command.copies }, () => {
      const call = this.world.merchant(hotel, '/v1/checkout-sessions', { body, key });
      if (key !== undefined) this.requests.push({ hotel, path: '/v1/checkout-sessions', key, body, call });
      return this.#onAnswer(call, (resource) => {
        this.note(hotel, resource);
        if (resource.clientSecret === undefined) return;
        this.sessions.push({
          hotel,
          id: String(resource.id),
          secret: String(resource.clientSecret),
          reference,
          kind: command.kind,
          expiresAt: Date.parse(String(resource.expiresAt)),
          isExpiredByHand: false,
        });
      });
    });
    await this.#settle(calls, true);
  }

  /** The session that a command means; when there is none yet, one is made. */
  async #sessionOf(which: number): Promise<KnownSession | undefined> {
    if (this.sessions.length === 0) {
      await this.#session({
        ...FIRST_SESSION,
        hotel: this.#firstHotel(which),
        expires: which < 4 ? HALF_AN_HOUR : A_DAY,
      });
    }
    return pick(this.sessions, which);
  }

  async #start(command: Extract<Command, { do: 'start' }>): Promise<void> {
    const session = await this.#sessionOf(command.session);
    if (session?.secret === undefined) return;
    const { secret, id, hotel } = session;
    const left = session.expiresAt - this.world.scheduler.now - 40;
    if (command.isLast && left > 0 && left < 2 * 3_600_000) await this.wait(left);
    const calls = Array.from({ length: command.copies }, () => {
      const call = this.world.send('/v1/checkout/start', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          origin: `https://${hotel}.test`,
        },
        body: JSON.stringify({ presentation: 'redirect' }),
      });
      this.starts.push({ session: id, call });
      return this.#onAnswer(call, ({ viewUrl }) => this.#notePage(id, String(viewUrl)));
    });
    await this.#settle(calls, command.waits);
  }

  #notePage(session: string, url: string): void {
    this.world.seeGuest(url);
    if (!this.pages.some((page) => page.url === url)) this.pages.push({ url, session });
  }

  async #link(which: number): Promise<void> {
    const session = await this.#sessionOf(which);
    if (session === undefined) return;
    const call = this.world.merchant(session.hotel, `/v1/checkout-sessions/${session.id}/link`, { body: {} });
    this.#onAnswer(call, ({ url }) => {
      this.links.push({ hotel: session.hotel, path: new URL(String(url)).pathname, session: session.id });
    });
    await this.#settle([call], true);
  }

  async #startLink(command: Extract<Command, { do: 'startLink' }>): Promise<void> {
    if (this.links.length === 0) await this.#link(command.link);
    const link = pick(this.links, command.link);
    if (link === undefined) return;
    const calls = Array.from({ length: command.copies }, () => {
      const call = this.world.send(link.path, { method: 'POST' });
      return this.#onAnswer(call, () => {
        const url = call.answer?.headers.get('location');
        if (!url) return;
        const { scheduler } = this.world;
        const silence = scheduler.now - (this.world.guestSeenAt(url) ?? scheduler.now);
        if (silence > 62 * 60_000 && this.pages.some((page) => page.url === url) && !this.world.hasActed(url)) {
          const what = `a link led to the same page again after ${Math.round(silence / 60_000)} minutes`;
          this.world.violations.push({ rule: 'link-goes-on', what });
        }
        this.#notePage(this.world.sessionOfPage(url) ?? link.session, url);
      });
    });
    await this.#settle(calls, command.waits);
  }

  async #guest(command: Extract<Command, { do: 'guest' }>): Promise<void> {
    if (this.pages.length === 0)
      await this.#start({ do: 'start', session: command.page, copies: 1, waits: true, isLast: false });
    const page = pick(this.pages, command.page);
    if (page === undefined) return;
    const { world } = this;
    const how = { act: command.act, cardNumber: at(CARDS, command.card) };
    await world.actOnPage(page.url, { ...how, falseErrorMs: command.act === 'pay' ? command.falseErrorS * 1_000 : 0 });
    if (command.returns === 'no') return;
    const address = world.returnAddress(page.url, command.returns === 'abort' ? 'abort' : 'success');
    if (address === undefined) return;
    world.seeGuest(page.url);
    const visits = Array.from({ length: command.returns === 'twice' ? 2 : 1 }, () => world.send(address, {}));
    await this.#settle(visits, true);
  }

  async #manage(act: 'expire' | 'refresh' | 'read', which: number): Promise<void> {
    const session = pick(this.sessions, which);
    if (session === undefined) return;
    const { hotel, id } = session;
    if (act === 'expire') session.isExpiredByHand = true;
    const path = `/v1/checkout-sessions/${id}${act === 'read' ? '' : `/${act}`}`;
    const call = this.world.merchant(hotel, path, act === 'read' ? {} : { body: {} });
    this.#onAnswer(call, (resource) => this.note(hotel, resource));
    await this.#settle([call], this.world.scheduler.draw('patience') < 0.7);
  }

  /** A person looks up what really happened to something unknown, and says so. */
  async #resolve({ which, copies }: Extract<Command, { do: 'resolve' }>): Promise<void> {
    const unknown = [...this.seen].filter(([, { resource }]) => resource.status === 'unknown');
    const found = pick(unknown, which);
    if (found === undefined) return;
    const [id, { hotel }] = found;
    // A request that is on its way yet is no evidence.
    await this.wait(5_000);
    const truth = this.world.truthOf(id);
    if (truth === undefined) return;
    const path = `/v1/${{ cs: 'checkout-sessions', ch: 'charges', rv: 'reversals' }[id.slice(0, 2)]}/${id}`;
    const body = { evidence: 'seen in the acquirer’s books', ...truth };
    const calls = Array.from({ length: copies }, () => {
      const call = this.world.merchant(hotel, `${path}/resolve`, { body });
      return this.#onAnswer(call, (resource) => this.note(hotel, resource));
    });
    await this.#settle(calls, this.world.scheduler.draw('patience') < 0.7);
  }

  // ---- lists -------------------------------------------------------------------------------------------------------

  async #list({ hotel: which, kind }: Extract<Command, { do: 'list' }>): Promise<void> {
    const hotel = hotelOf(which);
    const path = at(['/v1/checkout-sessions', '/v1/charges', '/v1/reversals'], kind);
    const call = this.world.merchant(hotel, `${path}?limit=3`);
    this.#onAnswer(call, (page) => {
      for (const item of page.data as Json[]) {
        if (item.property === hotel) continue;
        this.world.violations.push({ rule: 'hotels-apart', what: `${hotel} lists ${String(item.id)}` });
      }
    });
    await this.#settle([call], true);
  }

  async #redeliver({ hotel: which, event }: Extract<Command, { do: 'redeliver' }>): Promise<void> {
    const hotel = hotelOf(which);
    const known = this.world.deliveries.filter((delivery) => delivery.hotel === hotel);
    const id = pick(known, event)?.event.id;
    if (id === undefined) return;
    await this.#settle([this.world.merchant(hotel, `/v1/events/${String(id)}/redeliver`, { body: {} })], true);
  }

  /** One hotel asks for what belongs to the other. */
  async #stranger({ hotel: which, which: nth }: Extract<Command, { do: 'stranger' }>): Promise<void> {
    const hotel = hotelOf(which);
    const others = [...this.seen].filter(([, seen]) => seen.hotel !== hotel);
    const id = pick(others, nth)?.[0];
    if (id === undefined) return;
    const kind = { cs: 'checkout-sessions', ch: 'charges', rv: 'reversals' }[id.slice(0, 2)];
    const calls = [this.world.merchant(hotel, `/v1/${kind}/${id}`)];
    if (!id.startsWith('rv_')) {
      calls.push(this.world.merchant(hotel, '/v1/reversals', { key: `x${nth}`, body: { payment: id } }));
    }
    await this.#settle(calls, true);
    for (const { answer } of calls) {
      if (typeof answer?.status === 'number' && answer.status < 300) {
        this.world.violations.push({ rule: 'hotels-apart', what: `${hotel} reached ${id}: ${answer.status}` });
      }
    }
  }

  // ---- the directory -----------------------------------------------------------------------------------------------

  async #change(command: Extract<Command, { do: 'change' }>): Promise<void> {
    const { which, change, copies, isStale, waits } = command;
    // Nothing else makes a call end badly.
    if (/password/i.test(change)) this.isDisturbed = true;
    await this.operator.change({ hotel: directoryHotel(which), change, copies, isStale, waits });
    if (!waits) await this.world.pass(IMPATIENCE_MS);
  }

  // ---- disturbances ------------------------------------------------------------------------------------------------

  async #disturb(
    command: Extract<Command, { do: 'ledgerAway' | 'directoryAway' | 'endpoint' | 'crash' | 'clock' | 'configure' }>,
  ): Promise<void> {
    const { world } = this;
    if (command.do === 'endpoint') {
      const { url } = at(world.settings[hotelOf(command.hotel)].webhooks, 1);
      world.setEndpoint(url, command.kind);
      return;
    }
    this.isDisturbed = true;
    if (command.do === 'directoryAway') world.directoryAwayUntil = world.scheduler.now + command.seconds * 1_000;
    else if (command.do === 'ledgerAway') world.ledgerAwayUntil = world.scheduler.now + command.seconds * 1_000;
    else if (command.do === 'crash') world.restart('crash');
    else if (command.do === 'clock') world.scheduler.jump(45_000);
    else this.#configure(hotelOf(command.hotel), command.change);
  }

  #configure(hotel: HotelName, change: Change): void {
    const { world } = this;
    const settings = world.settings[hotel];
    if (change === 'password' || change === 'passwordForgotten') {
      world.rotatePassword(hotel, change === 'password');
      return;
    }
    if (change === 'break' || change === 'repair') settings.isBroken = change === 'break';
    else if (change === 'origins')
      settings.origins =
        settings.origins.length > 1 ? settings.origins.slice(0, 1) : [...settings.origins, 'https://other.test'];
    else if (change === 'webhookUrl') {
      const [first, second] = settings.webhooks;
      if (first !== undefined && second !== undefined) {
        settings.webhooks = [
          first,
          { ...second, url: second.url.endsWith('x') ? second.url.slice(0, -1) : `${second.url}x` },
        ];
      }
    }
    world.applySettings(`${change} ${hotel}`);
  }
}

/** What is made for a command that needs something when there is nothing yet. */
const FIRST_CHARGE = {
  do: 'charge',
  reference: 0,
  amount: 0,
  key: 0,
  allowDuplicate: false,
  copies: 1,
  areTwins: false,
  waits: true,
} as const;
const FIRST_SESSION = {
  do: 'session',
  reference: 0,
  kind: 'payment',
  amount: 0,
  surcharge: false,
  key: undefined,
  copies: 1,
} as const;

const OTHER = { value: 100, currency: 'EUR' };

function directoryHotel(index: number): HotelName {
  return at(DIRECTORY_HOTELS, index);
}

function hotelOf(index: number): HotelName {
  return at(HOTELS, index);
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to choose from');
  return item;
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.length === 0 ? undefined : items[index % items.length];
}
