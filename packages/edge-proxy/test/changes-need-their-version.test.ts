/** Whoever changes a hotel has read it: no change is made to a version that nobody named, or that is no longer the newest. */
import { beforeEach, describe, expect, test } from 'vitest';
import { operationsOf } from '../openapi/document.ts';
import type { Json } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { RESOURCES } from '../test-support/whole-app.ts';

useFakes();
let run = 0;
let id = '';
let key = '';

interface Change {
  readonly path: (id: string) => string;
  readonly method: string;
  readonly body?: (key: string) => Promise<Json>;
}

const CHANGES: readonly (readonly [string, Change])[] = [
  ['PUT', { method: 'PUT', path: (id) => id, body: (key) => hotelWith([key], { displayName: 'Changed' }) }],
  ['PATCH', { method: 'PATCH', path: (id) => id, body: async () => ({ displayName: 'Changed' }) }],
  ['DELETE', { method: 'DELETE', path: (id) => id }],
  ['roll-back', { method: 'POST', path: (id) => `${id}/roll-back`, body: async () => ({ version: 1 }) }],
];

async function send({ method, path, body }: Change, headers: Record<string, string> = {}): Promise<Response> {
  return operator(path(id), { method, headers, ...(body === undefined ? {} : { body: await body(key) }) });
}

/** What the operator reads of the hotel now. */
async function shown(): Promise<Json> {
  return (await operator(id)).json();
}

test('the description has the conditions and the body of each change', () => {
  const changes = operationsOf(RESOURCES).filter(({ hasCondition }) => hasCondition);
  expect(changes.map(({ id, body }) => [id, body?.schema !== undefined, body?.isOptional])).toEqual([
    ['putProperty', true, false],
    ['patchProperty', true, false],
    ['removeProperty', false, undefined],
    ['rollBackProperty', true, false],
  ]);
});

describe.each(CHANGES)('%s', (_name, change) => {
  beforeEach(async () => {
    run += 1;
    id = `versioned_${run}`;
    key = `sk_test_${id}_${'v'.repeat(40)}`;
    await addHotel(id, [key], { displayName: 'First' });
    await operator(id, { method: 'PATCH', body: { displayName: 'Second' }, headers: { 'if-match': '"1"' } });
  });

  test.each([
    ['without a condition', {}, 428, 'precondition_required'],
    ['for an older version', { 'if-match': '"1"' }, 412, 'version_conflict'],
    ['for a version that is still to come', { 'if-match': '"3"' }, 412, 'version_conflict'],
    ['for a version with the same digits in it', { 'if-match': '"12"' }, 412, 'version_conflict'],
    ['only where there is nothing yet', { 'if-none-match': '*' }, 412, 'version_conflict'],
  ])('%s is refused, and changes nothing', async (_condition, headers, status, code) => {
    const before = await shown();
    const answer = await send(change, headers as Record<string, string>);
    expect([answer.status, await answer.json()]).toEqual([
      status,
      expect.objectContaining({ code, param: 'If-Match' }),
    ]);
    expect(await shown()).toEqual(before);
    expect(before).toMatchObject({ version: 2, displayName: 'Second', status: 'active' });
  });

  test.each([
    ['for the newest version', '"2"'],
    ['for one of several that is the newest', '"1", "2"'],
    ['for one of several, however they are separated', '"10" ,"11","2"'],
    ['for whatever there is', '*'],
  ])('%s is made', async (_condition, ifMatch) => {
    const answer = await send(change, { 'if-match': ifMatch });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
  });

  test.each([
    ['"3"', 'a version'],
    ['*', 'whatever there is'],
  ])('of a hotel that there is not is not made for %s: %s', async (ifMatch) => {
    id = `${id}_nobody`;
    const answer = await send(change, { 'if-match': ifMatch });
    expect([404, 412]).toContain(answer.status);
    expect((await operator(id)).status).toBe(404);
  });
});

test.each([
  ['If-Match', '3'],
  ['If-Match', '"3'],
  ['If-Match', 'W/"3"'],
  ['If-Match', '"3" "4"'],
  ['If-Match', 'x"3"'],
  ['If-Match', '"3",'],
  ['If-Match', '"a"'],
  ['If-Match', `"${'1'.repeat(16)}"`],
  ['If-None-Match', '"1"'],
])('%s: %s is not a condition that is understood', async (header, value) => {
  const answer = await operator('versioned_0', { method: 'DELETE', headers: { [header]: value } });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'invalid_request', param: header }),
  ]);
});

test('a hotel is added only where there is none, whoever asks for it twice', async () => {
  run += 1;
  id = `versioned_${run}`;
  key = `sk_test_${id}_${'v'.repeat(40)}`;
  const add = (): Promise<Response> => send({ ...(CHANGES[0]?.[1] as Change) }, { 'if-none-match': ' * ' });
  expect([(await add()).status, (await add()).status]).toEqual([201, 412]);
  expect(await shown()).toMatchObject({ version: 1 });
});
