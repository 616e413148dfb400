import { describe, expect, it } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import { run } from '../program/run.ts';

const ENV = { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_1' };
const EVENT = 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';

async function redeliver(endpoints: readonly object[], ...words: readonly string[]) {
  const asked: string[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { method, url } = new Request(input, init);
    asked.push(`${method} ${new URL(url).pathname}`);
    return method === 'GET'
      ? Response.json({ object: 'list', data: endpoints })
      : Response.json({ id: EVENT }, { status: 202 });
  };
  const io = fakeIo({ env: ENV, fetch });
  expect(await run(['events', 'redeliver', EVENT, ...words], io)).toBe(0);
  expect(asked).toContain(`POST /v1/events/${EVENT}/redeliver`);
  return io.stdout();
}

describe('events redeliver', () => {
  it('says what was sent again', async () => {
    expect(await redeliver([{ host: 'hotel.example' }])).toMatch(new RegExp(`Sent again +${EVENT}`));
    expect(JSON.parse(await redeliver([{}], '--json'))).toEqual({ id: EVENT, redelivered: true });
  });

  it('says that nobody gets it where there is no endpoint', async () => {
    expect(await redeliver([])).toContain('the hotel has no webhook endpoint');
    expect(JSON.parse(await redeliver([], '--json'))).toEqual({ id: EVENT, redelivered: false });
  });
});

describe('events list', () => {
  it.each([
    ['goes on', [], ['--after', '5'], 9, 'Continue with --after 9'],
    ['goes on behind what it lists', [{ id: EVENT, seq: 1, data: { object: {} } }], [], 1, 'Continue with --after 1'],
    ['is at its end', [], ['--after', '5'], 5, ''],
    [
      'was set back',
      [],
      ['--after', '5'],
      3,
      'The feed ends at 3, before 5: it was set back, or has not got that far.',
    ],
  ])('says where the feed %s', async (_, data, words, nextAfter, note) => {
    const fetch = async (): Promise<Response> => Response.json({ object: 'list', data, nextAfter });
    const io = fakeIo({ env: ENV, fetch });
    expect(await run(['events', 'list', ...words], io)).toBe(0);
    expect(io.stderr().trim()).toBe(note);
  });
});
