import { describe, expect, it } from 'vitest';
import { isAddressLiteral, isLoopbackHost, isOrigin } from './web-address.ts';

describe('an origin', () => {
  it.each(['https://hotel.example', 'http://localhost:4000', 'https://hotel.example:8443'])('is %s', (text) => {
    expect(isOrigin(text)).toBe(true);
  });

  it.each([
    'https://hotel.example/',
    'hotel.example',
    'https://HOTEL.example',
    'https://u:p@hotel.example',
    'null',
    'https://hotel.example:443',
    'javascript:alert(1)',
  ])('is not %s', (text) => {
    expect(isOrigin(text)).toBe(false);
  });
});

describe('a host', () => {
  const host = (text: string): string => new URL(text).hostname;

  it('is this machine in every spelling that URL leaves', () => {
    expect(isLoopbackHost(host('http://127.1/'))).toBe(true);
    expect(isLoopbackHost(host('http://2130706433/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::1]/'))).toBe(true);
    expect(isLoopbackHost('localhost.evil.test')).toBe(false);
  });

  it('is an address and not a name in every spelling that URL leaves', () => {
    expect(isAddressLiteral(host('https://0x7f000001/'))).toBe(true);
    expect(isAddressLiteral(host('https://[fe80::1]/'))).toBe(true);
    expect(isAddressLiteral('hooks.example')).toBe(false);
  });
});
