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
  const host = (text: string): string => new URL(text).hostname;

  it('is this machine in every spelling that URL leaves', () => {
    expect(isLoopbackHost(host('http://127.1/'))).toBe(true);
    expect(isLoopbackHost(host('http://2130706433/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::1]/'))).toBe(true);
    expect(isLoopbackHost(host('http://0/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::]/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::ffff:127.0.0.1]/'))).toBe(true);
    expect(isLoopbackHost(host('http://[0:0:0:0:0:ffff:7fff:fffe]/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::ffff:0.0.0.0]/'))).toBe(true);
    expect(isLoopbackHost(host('http://LOCALHOST./'))).toBe(true);
    expect(isLoopbackHost(host('http://pay.localhost/'))).toBe(true);
    expect(isLoopbackHost(host('http://[::ffff:128.0.0.1]/'))).toBe(false);
    expect(isLoopbackHost('evil-localhost')).toBe(false);
    expect(isLoopbackHost('localhost.evil.test')).toBe(false);
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
      expect(isLocalNetworkHost(host(`http://${text}/`)), text).toBe(true);
    const others = ['11.0.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '8.8.8.8', '[2001:db8::1]', '[fec0::1]'];
    for (const text of [...others, 'local', 'mac.local.evil.test', '10.0.0.1.evil.test', 'fd00.test'])
      expect(isLocalNetworkHost(host(`http://${text}/`)), text).toBe(false);
  });

  it('is an address and not a name in every spelling that URL leaves', () => {
    expect(isAddressLiteral(host('https://0x7f000001/'))).toBe(true);
    expect(isAddressLiteral(host('https://[fe80::1]/'))).toBe(true);
    expect(isAddressLiteral('hooks.example')).toBe(false);
  });
});

describe('addresses', () => {
  it.each(['localhost', '[::1]', '127.0.0.1', '127.255.12.255'])('%s is this machine', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['127.0.0.1.evil.test', 'evil-127.0.0.1', '128.0.0.1', '10.127.0.0.1', '[::2]', 'local'])(
    '%s is not',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );

  it.each(['192.168.100.200', '10.0.0.1', '[fe80::1]'])('%s is a literal', (host) => {
    expect(isAddressLiteral(host)).toBe(true);
  });

  it.each(['10.0.0.1.example', 'a10.0.0.1', '10.0.0'])('%s is a name', (host) => {
    expect(isAddressLiteral(host)).toBe(false);
  });

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
