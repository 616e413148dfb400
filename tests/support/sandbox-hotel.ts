/** The sandbox's login. */
export const SANDBOX_LOGIN = { username: 'demo', password: 'demo-password' } as const;

/** Settings of a hotel at a sandbox, without its secrets, as a user's JSON file has them. */
export function hotelAt(baseUrl: string) {
  return {
    ...{ displayName: 'Hotel Aurora', baseUrl, customerId: '1234', hotelID: '1', hotelIDType: 'SANDBOX_PMS' },
    ...{ user: 'web', timeZone: 'Europe/Vienna', amountUnit: 'minor', providerDirect: 'SANDBOX_DIRECT' },
    ...{ providerHosted: 'SANDBOX_HOSTED', origins: ['http://127.0.0.1:4000'] },
  };
}
