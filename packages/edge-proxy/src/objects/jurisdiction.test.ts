import { expect, test } from 'vitest';
import { useLog } from '../../test-support/log.ts';
import { complainOfJurisdiction, inOwnPlace } from './jurisdiction.ts';

const namespace = (place: (asked: string) => string | undefined) => ({
  jurisdiction: (asked: string) => ({ idFromName: () => ({ jurisdiction: place(asked) }) as DurableObjectId }),
});
const errors = useLog('error');
const honest = namespace((asked) => asked);

test.each([undefined, '', 'eu', 'us'])('%j is honored', (JURISDICTION) => {
  expect(complainOfJurisdiction(honest, JURISDICTION === undefined ? {} : { JURISDICTION })).toBeUndefined();
});

test('one that the runtime does not know is said, with its words', () => {
  const refusing = namespace(() => {
    throw new TypeError('no such jurisdiction');
  });
  expect(complainOfJurisdiction(refusing, { JURISDICTION: 'europe' })).toBe(
    'JURISDICTION is "europe", which this runtime cannot honor: no such jurisdiction',
  );
});

test('one that the runtime passes over is said', () => {
  const passing = namespace(() => undefined);
  expect(complainOfJurisdiction(passing, { JURISDICTION: 'eu' })).toContain('live elsewhere');
});

test('an object that is where the setting says has the environment itself', () => {
  const env = { JURISDICTION: 'eu', other: 1 };
  expect(inOwnPlace({ jurisdiction: 'eu' }, env)).toBe(env);
  const without = { other: 1 };
  expect(inOwnPlace({}, without)).toBe(without);
  const empty = { JURISDICTION: '' };
  expect(inOwnPlace({}, empty)).toBe(empty);
});

test('one that was made elsewhere calls objects there, and the log says once that the setting was changed', () => {
  const env = { JURISDICTION: 'eu', other: 1 };
  const first = inOwnPlace({}, env);
  expect(first).toEqual({ JURISDICTION: '', other: 1 });
  expect(inOwnPlace({}, env)).toBe(first);
  expect(inOwnPlace({ jurisdiction: 'us' }, env)).toEqual({ JURISDICTION: 'us', other: 1 });
  expect(errors).toEqual([
    { level: 'error', message: 'jurisdiction_changed', setting: 'eu', objects: '' },
    { level: 'error', message: 'jurisdiction_changed', setting: 'eu', objects: 'us' },
  ]);
});
