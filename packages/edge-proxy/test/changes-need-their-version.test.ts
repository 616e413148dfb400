/** Whoever changes a hotel has read it: no change is made to a version that nobody named, or that is no longer the newest. */
import { describe, expect, test } from 'vitest';
import { operationsOf } from '../openapi/document.ts';
import type { Json } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';
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

/** A hotel of its own, in its second version. */
async function addSecondVersion(): Promise<void> {
  run += 1;
  id = `versioned_${run}`;
  key = `sk_test_${id}_${'v'.repeat(40)}`;
  await addHotel(id, [key], { displayName: 'First' });
  await operator(id, { method: 'PATCH', body: { displayName: 'Second' }, headers: { 'if-match': '"1"' } });
}

describe.each(CHANGES)('%s', (_name, change) => {
  test('is refused, and changes nothing, without a condition or for another version than the newest', async () => {
    await addSecondVersion();
    const before = await shown();
    expect(before).toMatchObject({ version: 2, displayName: 'Second', status: 'active' });
    for (const [headers, status, code] of [
      [{}, 428, 'precondition_required'],
      [{ 'if-match': '"1"' }, 412, 'version_conflict'],
      [{ 'if-match': '"3"' }, 412, 'version_conflict'],
      // The same digits are in it.
      [{ 'if-match': '"12"' }, 412, 'version_conflict'],
      [{ 'if-none-match': '*' }, 412, 'version_conflict'],
    ] as const) {
      await expectProblem(send(change, headers), status, { code, param: 'If-Match' });
      expect(await shown()).toEqual(before);
    }
  });

  test.each([
    ['for the newest version', '"2"'],
    ['for one of several that is the newest', '"1", "2"'],
    ['for one of several, however they are separated', '"10" ,"11","2"'],
    ['for the newest version, whose tag was made weak on its way here', 'W/"2"'],
    ['for whatever there is', '*'],
  ])('%s is made', async (_condition, ifMatch) => {
    await addSecondVersion();
    const answer = await send(change, { 'if-match': ifMatch });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
  });

  test.each(['"3"', '*'])('of a hotel that there is not is not made for %s', async (ifMatch) => {
    id = 'versioned_nobody';
    key = `sk_test_${id}_${'v'.repeat(40)}`;
    const answer = await send(change, { 'if-match': ifMatch });
    expect([404, 412]).toContain(answer.status);
    expect((await operator(id)).status).toBe(404);
  });
});

test.each([
  ['If-Match', '3'],
  ['If-Match', '"3'],
  ['If-Match', 'W/3'],
  ['If-Match', '"3" "4"'],
  ['If-Match', 'x"3"'],
  ['If-Match', '"3",'],
  ['If-Match', '"a"'],
  ['If-Match', `"${'1'.repeat(16)}"`],
  ['If-None-Match', '"1"'],
])('%s: %s is not a condition that is understood', async (header, value) => {
  const answer = operator('versioned_0', { method: 'DELETE', headers: { [header]: value } });
  await expectProblem(answer, 400, { code: 'invalid_request', param: header });
});

test('a hotel is added only where there is none, whoever asks for it twice', async () => {
  run += 1;
  id = `versioned_${run}`;
  key = `sk_test_${id}_${'v'.repeat(40)}`;
  const add = (): Promise<Response> => send({ ...(CHANGES[0]?.[1] as Change) }, { 'if-none-match': ' * ' });
  expect([(await add()).status, (await add()).status]).toEqual([201, 412]);
  expect(await shown()).toMatchObject({ version: 1 });
});
