import type { Sandbox } from '@innkeep/sandbox';

export const SANDBOX_LOGIN = { username: 'demo', password: 'demo-password' } as const;

/** Settings of a hotel at a sandbox, without its secrets, as a user's JSON file has them. */
export function hotelAt(baseUrl: string) {
  return {
    ...{ displayName: 'Hotel Aurora', baseUrl, customerId: '1234', hotelID: '1', hotelIDType: 'SANDBOX_PMS' },
    ...{ user: 'web', timeZone: 'Europe/Vienna', amountUnit: 'minor', providerDirect: 'SANDBOX_DIRECT' },
    ...{ providerHosted: 'SANDBOX_HOSTED', origins: ['http://127.0.0.1:4000'] },
  };
}

/** Logs in at a sandbox, without a proxy. @returns what calls it */
export async function logIn(
  sandbox: Sandbox,
): Promise<(path: string, body: object) => Promise<Record<string, unknown>>> {
  const post = async (path: string, body: object, token?: unknown): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const how = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await sandbox.fetch(`http://sandbox.test${path}`, how)).json();
  };
  const { access_token } = await post('/login', SANDBOX_LOGIN);
  return (path, body) => post(path, body, access_token);
}

/** Stores a card at a sandbox. @returns its token */
export async function storeCard(sandbox: Sandbox, cardNo = '4242424242424242'): Promise<string> {
  const post = await logIn(sandbox);
  const card = { cardNo, valid: '2031-12-31', hotelID: '1', hotelIDType: 'SANDBOX_PMS', user: 'test' };
  const fields = { datetime: '2026-09-01T10:00:00', cardText: '', serviceProvider: 'SANDBOX_DIRECT' };
  const { tokenNo } = await post('/V2/1234/createToken', { ...card, ...fields });
  if (typeof tokenNo !== 'string') throw new Error('the sandbox stored no card');
  return tokenNo;
}
