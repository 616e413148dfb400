/** Settings of a hotel, but for its keys. */
export const HOTEL = {
  displayName: 'Hotel Aurora',
  baseUrl: 'https://pay.example/api',
  customerId: '1234',
  username: 'demo',
  password: 'demo-password',
  hotelID: '1',
  hotelIDType: 'X',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor',
  providerDirect: 'D',
  providerHosted: 'H',
  origins: ['https://hotel.example'],
};
