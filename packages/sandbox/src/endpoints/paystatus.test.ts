import { expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

it.each([
  ['', 'requestid'],
  ['requestid=X', 'serviceProvider'],
  ['requestid=X&serviceProvider=SANDBOX_DIRECT', 'serviceProvider'],
  ['requestid=X&requestid=Y&serviceProvider=SANDBOX_HOSTED', 'requestid'],
  ['requestid=X&serviceProvider=SANDBOX_HOSTED&more=1', 'more'],
  ['requestID=X&serviceProvider=SANDBOX_HOSTED', 'requestID'],
])('refuses the query "%s" and names %s, for paystatus and transaction', async (query, field) => {
  const api = await Caller.loggedIn();
  for (const path of ['/1234/paystatus', '/V2/1234/paystatus', '/V2/1234/transaction']) {
    const { status, json } = await api.get(`${path}?${query}`);
    expect([status, json.field]).toEqual([400, field]);
  }
});

it('answers 404 for an unknown request', async ({ api }) => {
  const { status, json } = await api.paystatus('NOPE');
  expect([status, json.field]).toEqual([404, 'requestid']);
});
