import { describe, expect, test } from 'vitest';
import { type AttemptWatch, NEW_WATCH, type Observation, observe } from './attempt-watch.ts';

const T = 1_750_000_000_000;

type Step = readonly [seconds: number, observation: Observation];

/** Feeds observations at given seconds; answers with the last conclusion. */
function feed(...steps: readonly Step[]) {
  let watch: AttemptWatch = NEW_WATCH;
  let last: ReturnType<typeof observe> = { watch };
  for (const [seconds, observation] of steps) {
    last = observe(watch, observation, T + seconds * 1_000);
    watch = last.watch;
  }
  const { recheckAt } = watch;
  return { ...last, pollInSeconds: recheckAt === undefined ? undefined : (recheckAt - T) / 1_000 };
}

const error: Observation = { seen: 'state_error' };
const done: Observation = { seen: 'state_done', objectID: 'PAYOBJID=1' };
const open: Observation = { seen: 'state_open' };
const time: Observation = { seen: 'time' };
const abort: Observation = { seen: 'returned', through: 'abort' };
const success: Observation = { seen: 'returned', through: 'success' };
const unreadable: Observation = { seen: 'record_not_readable' };
const contradiction: Observation = { seen: 'record_contradicts', code: 'amount_mismatch', showsMoney: true };
const noMoney: Observation = { seen: 'record_contradicts', code: 'record_mismatch', showsMoney: false };
const refused: Observation = { seen: 'record_not_readable', refusal: 'declined' };
const unclear: Observation = { seen: 'record_not_readable', refusal: 'unclear' };
const consistent: Observation = { seen: 'record_consistent' };

const again = (visit: Observation): Observation => ({ ...visit, isNew: true }) as Observation;

test.each([
  ['of a guest who has paid', [success], 0],
  ['whose page is loaded once more', [success, success], 0],
  ['after the page was opened once more', [success, again(success)], 1],
  ['of one who then gives up', [success, abort], null],
  ['of one who had given up before', [abort, success], 1],
  ['whose older page of a cancel is loaded once more', [abort, success, abort], 1],
  ['of one who then opens the page once more, and gives up', [abort, success, again(abort)], null],
])('a visit to the success address %s is believed from second %j', (_, visits, second) => {
  const { watch } = feed(...visits.map((visit, at) => [at, visit] as const));
  expect(watch.successReturnAt).toBe(second === null ? null : T + second * 1_000);
});

/** What the last step of a story decides; a number when it decides nothing: the next poll, in seconds from the first step. */
type Story = [name: string, decision: string | number | undefined, ...steps: Step[]];

function tells(_: string, decision: Story[1], ...steps: Step[]): void {
  const { event, errorCode, pollInSeconds } = feed(...steps);
  expect(event === undefined ? pollInSeconds : [event, errorCode].filter(Boolean).join(' ')).toBe(decision);
}

const FAILED = 'ended_with_error upstream_failed';
const CANCELED = 'ended_by_guest canceled_by_guest';
const DECLINED = 'card_refused declined';
const DOUBTFUL = 'record_contradicts amount_mismatch';
const UNREADABLE = 'record_unreadable record_unreadable';
const SUCCESS = 'record_consistent';

const shownMoney: readonly Step[] = [
  [0, error],
  [0, contradiction],
  [5, error],
];
test.each<Story>([
  ['is held for five seconds', 5, [0, error]],
  ['is held to the end of them', 5, [0, error], [4.9, time]],
  ['that the service takes back is no end', 5, [0, error], [0, unreadable], [5, open], [5, unreadable]],
  ['counts anew when it is said again', 12, [0, error], [5, open], [7, error], [7, unreadable]],
  ['keeps the money that a record showed', 9, ...shownMoney.slice(0, 2), [5, open], [5, unreadable]],
  ['is a failure after that, once its record is not ready', FAILED, [0, error], [5, time], [5, unreadable]],
  ['is one, too, when it is said again', FAILED, [0, error], [5, error], [5, unreadable]],
  ['is one whose record is still not ready', FAILED, [0, error], [0, unreadable], [5, error], [5, unreadable]],
  ['is a failure, too, once its record shows no money', FAILED, [0, error], [5, time], [5, noMoney]],
  ['is one, too, when that is said again', FAILED, [0, error], [5, error], [5, noMoney]],
  ['is one whose record still shows none', FAILED, [0, error], [0, noMoney], [5, error], [5, noMoney]],
  ['decides nothing before its record was read', 5, [0, error], [5, time]],
  ['nor when it is said again', 5, [0, error], [5, error]],
  ['nor when the guest comes back', 5, [0, error], [3, abort]],
  ['nor when the guest had come back', 60, [0, abort], [60, error]],
  ['whose record was read before the hold is over waits', 5, [0, error], [0, unreadable]],
  ['waits whatever that shows', 5, [0, error], [4.9, noMoney]],
  ['with an abort return before it is canceled at once', CANCELED, [0, abort], [60, error], [60, unreadable]],
  ['within the hold is', CANCELED, [0, error], [0, unreadable], [3, abort], [3, error], [3, unreadable]],
  ['with a success return only fails all the same', FAILED, [0, success], [1, error], [6, time], [6, unreadable]],
  ['beside a record that agrees in every field is success', SUCCESS, [0, error], [0, consistent]],
  ['beside a record that shows other money is read twice', 5, [0, error], [0, contradiction]],
  ['is unknown then', DOUBTFUL, ...shownMoney, [5, contradiction]],
  ['is no failure while a record that showed money cannot be read again', 9, ...shownMoney, [5, unreadable]],
  ['is unknown when it never can', UNREADABLE, ...shownMoney, [5, unreadable], [900, unreadable]],
  ['is a failure after all when the record takes the money back', FAILED, ...shownMoney, [5, noMoney]],
  ['is forgotten when the upstream says state 1 after all', 8, [0, error], [4, done], [6, unreadable]],
])('state 2 %s', tells);

const read: readonly Step[] = [
  [0, error],
  [0, refused],
];
test.each<Story>([
  ['is declined, without a return', DECLINED, [0, error], [5, refused]],
  ['is declined after a success return', DECLINED, [0, success], [1, error], [6, refused]],
  ['is declined after an abort return', DECLINED, [0, abort], [1, error], [1, refused]],
  ['is declined without money', DECLINED, [0, error], [5, { ...noMoney, refusal: 'declined' }]],
  ['stays so when a later poll cannot read it', DECLINED, ...read, [3, abort], [3, error], [3, unreadable]],
  ['is success once the record agrees in every field', SUCCESS, ...read, [5, consistent]],
  ['decides nothing before the service has said that it ended', undefined, [0, open], [0, refused]],
  ['whose error code leaves it open is not declined', FAILED, [0, error], [5, unclear]],
  ['nor the guest’s wish', FAILED, [0, abort], [1, error], [1, unclear]],
  ['nor that without money', FAILED, [0, abort], [1, error], [1, { ...noMoney, refusal: 'unclear' }]],
])('state 2 with a record of a refused card %s', tells);

const unanswered: Observation = { seen: 'record_not_readable', isUnanswered: true };
const story: readonly Step[] = [
  [0, abort],
  [1, error],
  [1, unanswered],
];
test.each<Story>([
  ['is asked about again within the hold', 6, ...story],
  ['is canceled once there is no record', CANCELED, ...story, [3, unreadable]],
  ['is declined once there is one of a refused card', DECLINED, ...story, [3, refused]],
  ['is a failure after it, which may have been a refused card', FAILED, ...story, [6, error], [6, unanswered]],
])('state 2 after an abort return, when nobody answers for the record %s', tells);

test('an abort return alone decides nothing', () => {
  expect(feed([0, abort], [600, time]).event).toBeUndefined();
});

describe('state 1', () => {
  test.each<Story>([
    ['and a consistent record is success', SUCCESS, [0, done], [0, consistent]],
    ['and a contradicting record is read again after five seconds', 5, [0, done], [0, contradiction]],
    ['is not decided by a poll between the two', 5, [0, done], [0, contradiction], [2, contradiction]],
    ['and a record that still contradicts is unknown', DOUBTFUL, [0, done], [0, contradiction], [5, contradiction]],
    ['is so without money all the same', 'record_contradicts record_mismatch', [0, done], [0, noMoney], [5, noMoney]],
    ['and an unreadable record is not unknown before fifteen minutes', 900, [0, done], [899, unreadable]],
    ['is unknown after them', UNREADABLE, [0, done], [900, unreadable]],
    ['is success when it becomes readable late', SUCCESS, [0, done], [899, unreadable], [900, consistent]],
  ])('%s', tells);

  test('an unreadable record is read again, ever more slowly', () => {
    const delays: number[] = [];
    let watch = feed([0, done]).watch;
    for (let at = 0, i = 0; i < 8; i++) {
      const next = observe(watch, unreadable, T + at * 1_000);
      watch = next.watch;
      delays.push(((watch.recheckAt ?? 0) - T) / 1_000 - at);
      at += delays.at(-1) ?? 0;
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });
});

test('contradictions are counted as reads', () => {
  expect(feed([0, done], [1, contradiction]).watch.readAttempts).toBe(1);
  expect(feed([0, done], [1, contradiction], [2, contradiction]).watch.readAttempts).toBe(2);
});

test('a poll without an answer changes nothing before the service has said that it is done', () => {
  expect(feed([0, time])).toEqual({ watch: NEW_WATCH, pollInSeconds: undefined });
  expect(feed([0, done], [1, time]).pollInSeconds).toBe(2);
  expect(feed([0, done], [16 * 60, time])).toMatchObject({ event: 'record_unreadable' });
});

test('a record that shows nothing decides nothing while the service has said nothing', () => {
  const nothing = { watch: NEW_WATCH, pollInSeconds: undefined };
  expect(feed([0, unreadable])).toEqual(nothing);
  expect(feed([0, open], [0, unreadable], [900, unreadable])).toEqual(nothing);
});

test.each<[string, ...(readonly Observation[])[]]>([
  ['state 2 and no record', [error, unreadable]],
  ['state 2 and a record without money', [error, noMoney]],
  ['state 1 and no record', [done, unreadable]],
  ['state 1 and a record that contradicts', [done, contradiction]],
])('a day of polls that see %s is remembered once', (_, seen) => {
  const polls = (count: number) =>
    feed(...Array.from({ length: count }, (_, hour) => seen.map((one) => [hour * 3_600, one] as const)).flat());
  expect(polls(24).watch).toEqual(polls(12).watch);
});
