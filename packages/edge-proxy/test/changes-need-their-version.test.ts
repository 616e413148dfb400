/** Whoever changes a hotel has read it: no change is made to a version that nobody named, or that is no longer the newest. */
import { expect, test } from 'vitest';
import { operationsOf } from '../openapi/document.ts';
import type { Json } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';
import { RESOURCES } from '../test-support/whole-app.ts';

useFakes();
let run = 0;

interface Change {
  readonly path: (id: string) => string;
  readonly method: string;
  readonly body?: (key: string) => Promise<Json>;
}

const PUT: Change = { method: 'PUT', path: (id) => id, body: (key) => hotelWith([key], { displayName: 'Changed' }) };
const PATCH: Change = { method: 'PATCH', path: (id) => id, body: async () => ({ displayName: 'Changed' }) };
const CHANGES: readonly (readonly [string, Change])[] = [
  ['PUT', PUT],
  ['PATCH', PATCH],
  ['DELETE', { method: 'DELETE', path: (id) => id }],
  ['roll-back', { method: 'POST', path: (id) => `${id}/roll-back`, body: async () => ({ version: 1 }) }],
];

/** A hotel, as its operator changes and reads it. */
function hotel(id: string) {
  const key = `sk_test_${id}_${'v'.repeat(40)}`;
  const send = async ({ method, path, body }: Change, headers: Record<string, string>): Promise<Response> =>
    operator(path(id), { method, headers, body: await body?.(key) });
  return { id, key, send, shown: async () => (await operator(id)).json<Json>() };
}

function newHotel() {
  run += 1;
  return hotel(`versioned_${run}`);
}

/** A hotel of its own, in its second version. */
async function secondVersion() {
  const made = newHotel();
  await addHotel(made.id, [made.key], { displayName: 'First' });
  await operator(made.id, { method: 'PATCH', body: { displayName: 'Second' }, headers: { 'if-match': '"1"' } });
  return made;
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

test.each(CHANGES)('%s is made for the newest version alone, and changes nothing otherwise', async (_name, change) => {
  const { send, shown } = await secondVersion();
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
  const answer = await send(change, { 'if-match': '"2"' });
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
});

test.each([
  ['one of several that is the newest', '"1", "2"'],
  ['one of several, however they are separated', '"10" ,"11","2"'],
  ['the newest version, whose tag was made weak on its way here', 'W/"2"'],
  ['whatever there is', '*'],
])('a change for %s is made', async (_condition, ifMatch) => {
  const { send } = await secondVersion();
  expect((await send(PATCH, { 'if-match': ifMatch })).status).toBe(200);
});

test.each(CHANGES)('%s of a hotel that there is not is not made', async (_name, change) => {
  const { id, send } = hotel('versioned_nobody');
  for (const ifMatch of ['"3"', '*']) {
    expect([404, 412]).toContain((await send(change, { 'if-match': ifMatch })).status);
    expect((await operator(id)).status).toBe(404);
  }
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
  const { send, shown } = newHotel();
  const add = (): Promise<Response> => send(PUT, { 'if-none-match': ' * ' });
  expect([(await add()).status, (await add()).status]).toEqual([201, 412]);
  expect(await shown()).toMatchObject({ version: 1 });
});
