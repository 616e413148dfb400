import { describe, expect, it } from 'vitest';
import { checkClock, readClock } from './clock.ts';

const NOON = new Date('2026-06-01T12:00:00Z');
const at = (ms: number): Date => new Date(NOON.getTime() + ms);

describe('readClock', () => {
  it('compares the header with the middle of the request', () => {
    expect(readClock('Mon, 01 Jun 2026 12:00:10 GMT', at(0), at(1000))).toEqual(10_000);
  });

  it.each([null, '', 'soon'])('knows nothing from %j', (header) => {
    expect(readClock(header, NOON, NOON)).toEqual(undefined);
  });
});

describe('checkClock', () => {
  it('accepts half a minute, either way', () => {
    expect(checkClock('clock', 'x', [29_000]).status).toBe('ok');
    expect(checkClock('clock', 'x', [-29_000]).message).toContain('29 s behind');
  });

  it('has a fix for more', () => {
    expect(checkClock('clock', 'the proxy', [90_000])).toMatchObject({
      status: 'problem',
      message: 'The clock of the proxy is 90 s ahead of this machine’s.',
      fix: expect.stringContaining('timedatectl'),
    });
  });

  it('takes the best of several readings: a slow answer is no wrong clock', () => {
    expect(checkClock('clock', 'x', [60_000, 100]).status).toBe('ok');
  });

  it('says when there was nothing to read', () => {
    expect(checkClock('clock', 'x', []).message).toBe('There was no answer from x.');
    expect(checkClock('clock', 'x', [undefined])).toMatchObject({ status: 'skipped' });
  });
});
