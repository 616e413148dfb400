/** What random commands seldom bring together: a few of them in a fixed order, with the faults that they need. */
import fc from 'fast-check';
import { A_DAY, COMMANDS, type Command, DIRECTORY_COMMANDS, type History, some } from './commands.ts';
import { DIRECTORY_CHANGES, type DirectoryChange } from './operator.ts';
import { CALM } from './world.ts';

/** A history without its seed. */
export type Story = Pick<History, 'commands' | 'faults'>;

/** Commands in a fixed order, some of which may be missing, under nothing but the faults that are named. */
function story(
  steps: readonly fc.Arbitrary<Command | undefined>[],
  faults: fc.Arbitrary<readonly string[]> = fc.constant([]),
): fc.Arbitrary<Story> {
  return fc.tuple(fc.tuple(...steps), faults).map(([commands, certain]) => ({
    commands: commands.filter((command) => command !== undefined),
    faults: certain.length === 0 ? CALM : { ...CALM, certain },
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

const CLAIM = 'LEDGERS/aurora.claimReversal';
const RELEASE = 'LEDGERS/aurora.releaseReversal';
const limited = (key: number): fc.Arbitrary<Command> =>
  some([20, 30]).chain((part) => step('reverse', { payment: 0, part, key, copies: 1, isLimited: true }));

const ENSURE = step('ensure', { hotel: 0, key: 0, copies: 1, waits: true });
const START = step('start', { session: 0, waits: true, isLast: false });
const PAYS = step('guest', { page: 0, act: 'pay', card: 0 });
const WAIT = step('wait');
const MANAGE = step('manage');
/** The reversal is asked for once more, at any moment or at the moment of the next alarm. */
const AGAIN = step('again', { request: 1 });
const AT_ALARM = step('again', { request: 1, isAtAlarm: true });
/** The guest pays, and for a while the payment service says that it was an error. */
const paysUnseen = (page: number): fc.Arbitrary<Command> =>
  some([12, 90, 1_500, 40_000]).chain((falseErrorS) =>
    step('guest', { page, act: 'pay', card: 0, falseErrorS, returns: 'success' }),
  );
const seconds = (...choices: number[]): fc.Arbitrary<Command> =>
  some(choices).map((chosen) => ({ do: 'wait', seconds: chosen }));

/** What random commands seldom bring together: the first charge or session of a world, and everything about it. */
export const STORIES: readonly fc.Arbitrary<Story>[] = [
  // A reversal asks for its share and does not hear. It is asked for again …
  ...[
    // … while the share is refunded …
    story(
      [CHARGE, REVERSAL, AT_ALARM, maybe(step('reverse', { payment: 0 }))],
      fc.tuple(some(['', ' answer']).map((part) => `rpcLost ${RESERVE}${part} #1`)),
    ),
    // … which takes long …
    story(
      [CHARGE, REVERSAL, AT_ALARM, WAIT, maybe(step('reverse', { key: 1 }))],
      fc.constant([`rpcLost ${RESERVE} answer #1`, `rpcSlow ${SETTLE} #1`]),
    ),
    // … or after another one has taken a part …
    story(
      [CHARGE, REVERSAL, step('reverse', { payment: 0, key: 1 }), step('reverse', { payment: 0, key: 0 })],
      fc.constant([`rpcSlow ${RESERVE} #1`]),
    ),
    // … or at any time, in whatever faults.
    story(
      [
        CHARGE,
        step('reverse', { payment: 0, key: 0 }),
        maybe(WAIT),
        AGAIN,
        maybe(AGAIN),
        maybe(step('reverse', { payment: 0 })),
        maybe(AGAIN),
      ],
      fc
        .tuple(
          lostOrSlow(RESERVE),
          fc.array(
            fc.oneof(lostOrSlow(RESERVE, SETTLE, 'ACCESS_TOKENS/at1.knownDownMs'), crashOf('MONEY_OPERATIONS/rv1')),
            { maxLength: 3 },
          ),
        )
        .map(([first, more]) => [first, ...more]),
    ),
  ],
  // Staff refund parts of a charge, together more than they may. Messages are late or lost, and what hangs is asked for again.
  story(
    [
      CHARGE,
      limited(0),
      maybe(step('again', { request: 1, isOther: false })),
      limited(1),
      maybe(step('again', { request: 1, isOther: false })),
      maybe(limited(2)),
    ],
    fc.array(fc.oneof(lostOrSlow(RESERVE, SETTLE, CLAIM, RELEASE), crashOf('MONEY_OPERATIONS/rv1')), { maxLength: 3 }),
  ),
  // A charge may be resolved, and the ledger hears of it late, or twice.
  story(
    [step('charge', { hotel: 0, copies: 1, waits: true }), step('resolve', { which: 0, copies: 1 }), maybe(WAIT)],
    fc.array(lostOrSlow('LEDGERS/aurora.append'), { minLength: 1, maxLength: 3 }),
  ),
  // Two sessions of one booking, both paid.
  story(
    [
      step('session', { hotel: 0, reference: 0, kind: 'payment', copies: 1 }),
      START,
      maybe(PAYS),
      maybe(WAIT),
      step('session', { hotel: 0, reference: 0, kind: 'payment', copies: 1 }),
      step('start', { session: 1, waits: true, isLast: false }),
      step('guest', { page: 1, act: 'pay', card: 0 }),
      maybe(PAYS),
      maybe(MANAGE),
    ],
    fc.array(lostOrSlow('LEDGERS/aurora.append'), { maxLength: 2 }),
  ),
  // A guest pays while the status says error.
  story([
    step('session', { hotel: 0, kind: 'payment', copies: 1 }),
    START,
    PAYS,
    maybe(WAIT),
    maybe(MANAGE),
    maybe(WAIT),
  ]),
  // A guest tries again and again, with another card or after an hour, and the hotel may want something else meanwhile.
  ...[
    story([
      ENSURE,
      START,
      step('guest', { page: 0, falseErrorS: 0 }),
      maybe(step('retry', { form: 0 })),
      maybe(step('ensure', { hotel: 0, key: 0 })),
      START,
      step('guest', { page: 1, falseErrorS: 0 }),
      maybe(MANAGE),
      maybe(REVERSAL),
    ]),
    // The first payment shows while the second attempt is under way, or after it was paid.
    story([
      ENSURE,
      START,
      paysUnseen(0),
      seconds(4, 10, 31),
      START,
      maybe(seconds(1, 4)),
      step('guest', { page: 1, act: 'pay', card: 0 }),
      maybe(WAIT),
      maybe(START),
      maybe(MANAGE),
      maybe(step('reverse', { payment: 1, key: 0, copies: 1, waits: true })),
      maybe(step('reverse', { payment: 0, key: 1, copies: 1, waits: true })),
    ]),
    // One is abandoned, and paid when another one was declined.
    story([
      step('ensure', { hotel: 0, key: 0, amount: 0, expires: A_DAY, copies: 1, waits: true }),
      START,
      seconds(4_000, 90_000),
      START,
      step('guest', { page: 1, act: 'decline', returns: 'success' }),
      maybe(seconds(4, 31)),
      maybe(step('guest', { page: 0, act: 'pay', card: 0, returns: 'no' })),
      step('start', { session: 0, copies: 1, waits: true, isLast: false, isStale: false }),
      maybe(step('guest', { page: 2 })),
    ]),
    // The payment service cannot say how one ended.
    story(
      [
        ENSURE,
        START,
        step('guest', { page: 0, act: 'decline', returns: 'success' }),
        seconds(4, 10),
        START,
        maybe(START),
      ],
      fc
        .tuple(some(['request', 'answer']), some(['paystatus', 'transaction']), some([2, 3, 4, 5, 6]))
        .map(([part, call, first]) => [0, 1, 2].map((nth) => `netLost ${part} ${call} aurora #${first + nth}`)),
    ),
    // Something else is wanted while the page is being opened, or somebody ends the session.
    story(
      [
        ENSURE,
        step('start', { session: 0, waits: false, isLast: false }),
        maybe(seconds(0.3, 1)),
        maybe(step('ensure', { hotel: 0, key: 0 })),
        maybe(step('manage', { session: 0 })),
        maybe(step('start', { session: 0, copies: 1, isLast: false })),
        seconds(1, 31),
        maybe(step('start', { session: 0, isLast: false })),
      ],
      fc.tuple(fc.constant('netSlow initpayNoIframe aurora #1')),
    ),
  ],
  // A session is ended by hand and opened anew: what was given out before stays dead.
  story([
    ENSURE,
    maybe(step('link', { session: 0 })),
    START,
    maybe(seconds(4_000)),
    fc.constant<Command>({ do: 'expire', session: 0 }),
    step('ensure', { hotel: 0, key: 0, copies: 1 }),
    step('start', { session: 0, copies: 1, isLast: false, isStale: true }),
    step('startLink', { link: 0 }),
    maybe(START),
  ]),
  // A link is opened, left, and opened again.
  story([
    step('session', { hotel: 0, kind: 'payment', expires: A_DAY, copies: 1 }),
    step('link', { session: 0 }),
    step('startLink', { link: 0 }),
    WAIT,
    step('startLink', { link: 0 }),
    maybe(WAIT),
    maybe(step('guest', { page: 0 })),
    maybe(step('guest', { page: 1 })),
  ]),
  // A start in the last moment.
  story([
    step('session', { hotel: 0, expires: 0, copies: 1 }),
    step('start', { session: 0, isLast: true }),
    maybe(step('guest', { page: 0 })),
    maybe(MANAGE),
  ]),
];

const change = (change: DirectoryChange, fixed: object = {}): fc.Arbitrary<Command> =>
  DIRECTORY_COMMANDS.change.arbitrary.map((drawn) => ({
    ...drawn,
    which: 0,
    isStale: false,
    later: 0,
    change,
    ...fixed,
  }));
const changed = (name: DirectoryChange): fc.Arbitrary<Command> => change(name, { copies: 1, waits: true });
const A_CREDENTIAL = some(['password', 'wrongPassword', 'move', 'rollBack'] as const).chain(changed);
/** At any moment of what is done next, or within its first events. */
const changeLater = (changes: readonly DirectoryChange[], within = 70): fc.Arbitrary<Command> =>
  fc.tuple(some(changes), fc.nat(within)).chain(([name, later]) => change(name, { copies: 1, waits: false, later }));
const ANY_CHANGE = changeLater(DIRECTORY_CHANGES);
const FEED = fc.constant<Command>({ do: 'feed' });
const aMessageToFeeds = lostOrSlow('FEEDS/summit.append', 'FEEDS/peak.append', 'LEDGERS/cedar.append');
const aKeyChange = some(['rotateKey', 'addKey', 'rollBack', 'remove', 'replace', 'name'] as const).chain((name) =>
  change(name, { copies: 1 }),
);
const useKey = (age: number, waits = true): fc.Arbitrary<Command> => fc.constant({ do: 'key', which: 0, age, waits });
const CEDAR_SESSION = step('session', { hotel: 2, copies: 1 });
const CEDAR_PAYMENT = step('session', { hotel: 2, kind: 'payment', copies: 1 });
const directoryFaults = fc.array(
  fc.oneof(
    lostOrSlow(
      'PROPERTIES/cedar.read',
      'PROPERTIES/cedar.change',
      'DIRECTORIES/properties.publish',
      'DIRECTORIES/properties.announce',
      'DIRECTORIES/properties.has',
    ),
    crashOf('PROPERTIES/cedar'),
    crashOf('DIRECTORIES/properties'),
  ),
  { minLength: 1, maxLength: 3 },
);

/** The first hotel of the directory, while it changes. */
export const DIRECTORY_STORIES: readonly fc.Arbitrary<Story>[] = [
  // A key is taken away, and used.
  story(
    [useKey(0), aKeyChange, seconds(0.3, 1, 4, 10), useKey(0), useKey(1), maybe(aKeyChange), seconds(4, 10), useKey(1)],
    directoryFaults,
  ),
  // The configuration is read at the moment in which it changes.
  story(
    [
      maybe(useKey(0)),
      maybe(seconds(4)),
      useKey(0, false),
      changed('rotateKey'),
      seconds(1, 4),
      useKey(0),
      seconds(10),
      useKey(1),
    ],
    fc.tuple(lostOrSlow('PROPERTIES/cedar.read', 'DIRECTORIES/properties.has')),
  ),
  // A hotel is removed, and the directory does not hear of it for a while.
  story(
    [useKey(0), changed('remove'), seconds(6), useKey(0), maybe(seconds(10)), maybe(useKey(0))],
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
    directoryFaults,
  ),
  // A hotel is removed while a payment of it is under way.
  story(
    [
      CEDAR_PAYMENT,
      maybe(START),
      changed('remove'),
      maybe(PAYS),
      seconds(10, 130),
      START,
      maybe(PAYS),
      maybe(changed('rollBack')),
    ],
    fc.array(lostOrSlow('DIRECTORIES/properties.publish', 'PROPERTIES/cedar.read'), { maxLength: 1 }),
  ),
];

/** More of it: what it has to do with payments, with the keys that seal, and with those who read its events. */
export const OPERATOR_STORIES: readonly fc.Arbitrary<Story>[] = [
  // It changes between any two steps of a payment …
  story([ANY_CHANGE, CEDAR_PAYMENT, maybe(ANY_CHANGE), START, maybe(ANY_CHANGE), PAYS, maybe(ANY_CHANGE), maybe(WAIT)]),
  // … or of a charge and its webhooks.
  story([
    maybe(step('endpoint', { hotel: 2 })),
    ANY_CHANGE,
    step('charge', { hotel: 2, copies: 1, waits: true }),
    maybe(ANY_CHANGE),
    step('reverse', { payment: 0, copies: 1, waits: true }),
    maybe(WAIT),
  ]),
  // It goes to another payment service, or has another password, and back.
  story([
    maybe(step('charge', { hotel: 2, amount: 0, copies: 1, waits: true })),
    A_CREDENTIAL,
    maybe(seconds(6)),
    step('charge', { hotel: 2, copies: 1, waits: true }),
    A_CREDENTIAL,
    seconds(6, 31),
    CEDAR_SESSION,
    START,
    maybe(changed('rollBack')),
    maybe(PAYS),
  ]),
  // It is removed and added again.
  story(
    [
      useKey(0),
      changed('remove'),
      maybe(seconds(1, 10)),
      changed('replace'),
      maybe(seconds(1, 10)),
      useKey(0),
      useKey(1),
      seconds(6),
      useKey(1),
      useKey(0),
    ],
    fc.array(lostOrSlow('DIRECTORIES/properties.publish', 'PROPERTIES/cedar.change'), { maxLength: 1 }),
  ),
  // It is removed, and its key, which does not say whose it is, goes to another one.
  story([
    changed('rotateKey'),
    useKey(0),
    seconds(4, 10),
    useKey(0),
    changed('remove'),
    change('takeKey', { which: 1, copies: 1, waits: true }),
    maybe(changed('name')),
    seconds(6, 10),
    useKey(0),
    maybe(useKey(0)),
  ]),
  // Its object cannot be reached.
  story([
    maybe(useKey(0)),
    fc.constant<Command>({ do: 'propertyAway', seconds: 20 }),
    maybe(fc.constant<Command>({ do: 'crash' })),
    seconds(0.3, 4, 10),
    useKey(0),
    maybe(step('charge', { hotel: 2, copies: 1 })),
    seconds(31),
    useKey(0),
  ]),
  // It changes while everything is sealed anew, and then the older keys go.
  story([
    maybe(aKeyChange),
    changeLater(['remove', 'remove', 'rollBack', 'replace'], 6),
    fc.constant<Command>({ do: 'sealing', reseals: true, drops: true }),
    useKey(0),
    maybe(CEDAR_SESSION),
    maybe(changed('rollBack')),
    seconds(6),
    useKey(0),
  ]),
  // Its operator has another key, while one uses the one before.
  story([
    CEDAR_SESSION,
    step('start', { session: 0, waits: false }),
    maybe(change('name', { copies: 1, waits: false })),
    fc.constant<Command>({ do: 'platformKeys' }),
    maybe(step('guest', { page: 0 })),
    step('stranger', { hotel: 0 }),
    FEED,
  ]),
  // Its events are read, while the feed or its ledger is away, or dies.
  story(
    [
      maybe(fc.constant<Command>({ do: 'feedAway', seconds: 20 })),
      step('charge', { hotel: 2, reference: 0, amount: 0, copies: 1 }),
      FEED,
      maybe(DIRECTORY_COMMANDS.reach.arbitrary),
      step('charge', { reference: 1, copies: 1 }),
      maybe(step('charge', { hotel: 3, copies: 1 })),
      maybe(DIRECTORY_COMMANDS.reach.arbitrary),
      maybe(seconds(1, 31)),
      FEED,
      maybe(step('reverse', { payment: 0, copies: 1 })),
    ],
    fc.array(fc.oneof(aMessageToFeeds, crashOf('LEDGERS/cedar'), crashOf('FEEDS/summit'), crashOf('FEEDS/peak')), {
      maxLength: 3,
    }),
  ),
];
