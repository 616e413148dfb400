import { describe, expect, it } from 'vitest';
import { isAddressLiteral, isLocalNetworkHost, isLoopbackHost, isOrigin, parseHttpUrl } from './web-address.ts';

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
  const host = (text: string): string => new URL(`http://${text}/`).hostname;

  // In every spelling that URL leaves.
  it.each([
    ...['localhost', 'LOCALHOST.', 'pay.localhost', '127.0.0.1', '127.255.12.255', '127.1', '2130706433', '0'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7fff:fffe]', '[::ffff:0.0.0.0]'],
  ])('%s is this machine', (text) => {
    expect(isLoopbackHost(host(text))).toBe(true);
  });

  it.each([
    ...['127.0.0.1.evil.test', 'evil-127.0.0.1', '128.0.0.1', '10.127.0.0.1', '[::2]', 'local'],
    ...[host('[::ffff:128.0.0.1]'), 'evil-localhost', 'localhost.evil.test'],
  ])('%s is not', (text) => {
    expect(isLoopbackHost(text)).toBe(false);
  });

  it('is in the local network by its address, in every spelling that URL leaves, or by a name in .local', () => {
    const local = [
      '10.0.0.1',
      '192.168.1.20',
      '172.16.0.1',
      '172.31.255.255',
      '169.254.1.1',
      '0xc0a80101',
      '[fd12:3456::1]',
    ];
    for (const text of [...local, '[FE80::1]', 'mac-mini.local', 'localhost', '127.0.0.1', '[::1]'])
      expect(isLocalNetworkHost(host(text)), text).toBe(true);
    const others = ['11.0.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '8.8.8.8', '[2001:db8::1]', '[fec0::1]'];
    for (const text of [...others, 'local', 'mac.local.evil.test', '10.0.0.1.evil.test', 'fd00.test'])
      expect(isLocalNetworkHost(host(text)), text).toBe(false);
  });

  it.each(['192.168.100.200', '10.0.0.1', '0x7f000001', '[fe80::1]'])('%s is an address', (text) => {
    expect(isAddressLiteral(host(text))).toBe(true);
  });

  it.each(['10.0.0.1.example', 'a10.0.0.1', '10.0.0', 'hooks.example'])('%s is a name', (text) => {
    expect(isAddressLiteral(text)).toBe(false);
  });
});

describe('a web address', () => {
  it.each([
    'ftp://a.test/',
    'file:///etc',
    'https://user@a.test/',
    'https://:word@a.test/',
    'https://u:p@a.test/',
    'a.test',
  ])('%s is refused', (text) => {
    expect(parseHttpUrl(text)).toBeUndefined();
  });

  it.each(['https://a.test/x?y', 'http://a.test/'])('%s is taken', (text) => {
    expect(parseHttpUrl(text)?.href).toBe(text);
  });
});
