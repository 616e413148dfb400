import { describe, expect, test } from 'vitest';
import { type AttemptWatch, NEW_WATCH, type Observation, observe } from './attempt-watch.ts';

const T = 1_750_000_000_000;

/** Feeds observations at given seconds; answers with the last conclusion. */
function feed(...steps: readonly (readonly [seconds: number, observation: Observation])[]) {
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

describe('state 2', () => {
  test('is held for five seconds', () => {
    expect(feed([0, error])).toMatchObject({ pollInSeconds: 5 });
    expect(feed([0, error]).event).toBeUndefined();
    expect(feed([0, error], [4.9, time]).event).toBeUndefined();
  });

  test.each([
    ['is not ready', unreadable],
    ['shows no money', noMoney],
  ])('without an abort return is a failure after that, once its record %s', (_, record) => {
    const failed = { event: 'ended_with_error', errorCode: 'upstream_failed' };
    expect(feed([0, error], [5, time], [5, record])).toMatchObject(failed);
    expect(feed([0, error], [5, error], [5, record])).toMatchObject(failed);
    expect(feed([0, error], [0, record], [5, error], [5, record])).toMatchObject(failed);
  });

  test('decides nothing before its record was read', () => {
    expect(feed([0, error], [5, time]).event).toBeUndefined();
    expect(feed([0, error], [5, error]).event).toBeUndefined();
    expect(feed([0, error], [3, abort]).event).toBeUndefined();
    expect(feed([0, abort], [60, error])).toMatchObject({ pollInSeconds: 60 });
  });

  test('with a record read before the hold is over waits for its end', () => {
    expect(feed([0, error], [0, unreadable])).toMatchObject({ pollInSeconds: 5 });
    expect(feed([0, error], [4.9, noMoney]).event).toBeUndefined();
  });

  test('with an abort return before it is canceled at once', () => {
    expect(feed([0, abort], [60, error], [60, unreadable])).toMatchObject({
      event: 'ended_by_guest',
      errorCode: 'canceled_by_guest',
    });
  });

  test('with an abort return within the hold is canceled', () => {
    expect(feed([0, error], [0, unreadable], [3, abort], [3, error], [3, unreadable])).toMatchObject({
      event: 'ended_by_guest',
    });
  });

  test('with a success return only is still a failure', () => {
    expect(feed([0, success], [1, error], [6, time], [6, unreadable])).toMatchObject({ event: 'ended_with_error' });
  });

  test('beside a record that agrees in every field is success', () => {
    expect(feed([0, error], [0, consistent])).toMatchObject({ event: 'record_consistent' });
  });

  test('beside a record that shows other money is read twice, and then unknown', () => {
    const first = feed([0, error], [0, contradiction]);
    expect(first.event).toBeUndefined();
    expect(first.pollInSeconds).toBe(5);
    expect(feed([0, error], [0, contradiction], [5, error], [5, contradiction])).toMatchObject({
      event: 'record_contradicts',
      errorCode: 'amount_mismatch',
    });
  });

  test('is no failure while a record that showed money cannot be read again', () => {
    const story = [
      [0, error],
      [0, contradiction],
      [5, error],
      [5, unreadable],
    ] as const;
    expect(feed(...story).event).toBeUndefined();
    expect(feed(...story, [900, unreadable])).toMatchObject({ event: 'record_unreadable' });
  });

  test('is a failure after all when the record takes the money back', () => {
    expect(feed([0, error], [0, contradiction], [5, error], [5, noMoney])).toMatchObject({ event: 'ended_with_error' });
  });

  test('is forgotten when the upstream says state 1 after all', () => {
    expect(feed([0, error], [4, done], [6, unreadable]).event).toBeUndefined();
  });
});

describe('state 2 with a record of a refused card', () => {
  const declined = { event: 'card_refused', errorCode: 'declined' };

  test('is declined, by whichever address the guest came back', () => {
    expect(feed([0, error], [5, refused])).toMatchObject(declined);
    expect(feed([0, success], [1, error], [6, refused])).toMatchObject(declined);
    expect(feed([0, abort], [1, error], [1, refused])).toMatchObject(declined);
    expect(feed([0, error], [5, { ...noMoney, refusal: 'declined' }])).toMatchObject(declined);
  });

  test('stays declined when a later poll cannot read the record', () => {
    expect(feed([0, error], [0, refused], [3, abort], [3, error], [3, unreadable])).toMatchObject(declined);
  });

  test('is success once the record agrees in every field', () => {
    expect(feed([0, error], [0, refused], [5, consistent])).toMatchObject({ event: 'record_consistent' });
  });

  test('decides nothing while the service has not said that it has ended', () => {
    expect(feed([0, { seen: 'state_open' }], [0, refused]).event).toBeUndefined();
  });

  test('whose error code leaves it open is neither declined nor the guest’s wish', () => {
    const failed = { event: 'ended_with_error', errorCode: 'upstream_failed' };
    expect(feed([0, error], [5, unclear])).toMatchObject(failed);
    expect(feed([0, abort], [1, error], [1, unclear])).toMatchObject(failed);
    expect(feed([0, abort], [1, error], [1, { ...noMoney, refusal: 'unclear' }])).toMatchObject(failed);
  });
});

describe('state 2 after an abort return, when nobody answers for the record', () => {
  const unanswered: Observation = { seen: 'record_not_readable', isUnanswered: true };

  test('is asked about again within the hold, and canceled once there is no record', () => {
    const first = feed([0, abort], [1, error], [1, unanswered]);
    expect(first.event).toBeUndefined();
    expect(first.pollInSeconds).toBe(6);
    expect(feed([0, abort], [1, error], [1, unanswered], [3, unreadable])).toMatchObject({ event: 'ended_by_guest' });
    expect(feed([0, abort], [1, error], [1, unanswered], [3, refused])).toMatchObject({ errorCode: 'declined' });
  });

  test('is a failure after it, which may have been a refused card', () => {
    expect(feed([0, abort], [1, error], [1, unanswered], [6, error], [6, unanswered])).toMatchObject({
      event: 'ended_with_error',
      errorCode: 'upstream_failed',
    });
  });
});

test('a return through the abort address takes back that the guest came as one who has paid', () => {
  expect(feed([0, success]).watch.successReturnAt).toBe(T);
  expect(feed([0, success], [9, abort]).watch.successReturnAt).toBeNull();
  expect(feed([0, abort], [9, success]).watch.successReturnAt).toBe(T + 9_000);
});

describe('state 0', () => {
  test('with a record that is not ready says nothing', () => {
    expect(feed([0, { seen: 'state_open' }], [0, unreadable], [900, unreadable])).toMatchObject({ watch: NEW_WATCH });
  });
});

describe('an abort return alone', () => {
  test('decides nothing', () => {
    expect(feed([0, abort], [600, time]).event).toBeUndefined();
  });
});

describe('state 1', () => {
  test('and a consistent record is success', () => {
    expect(feed([0, done], [0, { seen: 'record_consistent' }])).toMatchObject({ event: 'record_consistent' });
  });

  test('and a contradicting record is read again after five seconds', () => {
    const first = feed([0, done], [0, contradiction]);
    expect(first.event).toBeUndefined();
    expect(first.pollInSeconds).toBe(5);
  });

  test('and a record that contradicts without money makes it unknown all the same', () => {
    expect(feed([0, done], [0, noMoney], [5, noMoney])).toMatchObject({ event: 'record_contradicts' });
  });

  test('and a record that still contradicts makes it unknown', () => {
    expect(feed([0, done], [0, contradiction], [5, contradiction])).toMatchObject({
      event: 'record_contradicts',
      errorCode: 'amount_mismatch',
    });
  });

  test('a poll between the two reads decides nothing', () => {
    expect(feed([0, done], [0, contradiction], [2, contradiction]).event).toBeUndefined();
  });

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

  test('an unreadable record makes it unknown after fifteen minutes, not before', () => {
    expect(feed([0, done], [899, unreadable]).event).toBeUndefined();
    expect(feed([0, done], [900, unreadable])).toMatchObject({
      event: 'record_unreadable',
      errorCode: 'record_unreadable',
    });
  });

  test('a record that becomes readable late is success all the same', () => {
    expect(feed([0, done], [899, unreadable], [900, { seen: 'record_consistent' }])).toMatchObject({
      event: 'record_consistent',
    });
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
  expect(feed([0, unreadable])).toEqual({ watch: NEW_WATCH, pollInSeconds: undefined });
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
