import { describe, expect, it } from 'vitest';
import { assertTrustedUrl, isTrustedUrl } from './trusted-url.ts';

describe('isTrustedUrl', () => {
  const trusted = { baseUrl: 'https://pay.example/prefix', origins: ['https://other.example:8443'] };

  it.each([
    'https://pay.example/x',
    'https://pay.example:443/',
    'https://other.example:8443/y?z=1',
    'https://PAY.example',
  ])('trusts %s', (address) => {
    expect(isTrustedUrl(address, trusted)).toBe(true);
  });

  it.each([
    'http://pay.example/x',
    'https://pay.example:444/',
    'https://other.example/',
    'https://pay.example.evil.example/',
    'https://pay.example@evil.example/',
    'https://user@pay.example/',
    'https://user:pw@pay.example/',
    '//pay.example/x',
    '/x',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://pay.example/x',
    'ftp://pay.example/',
    'http://127.0.0.1/',
  ])('does not trust %j', (address) => {
    expect(isTrustedUrl(address, trusted)).toBe(false);
  });

  it('trusts loopback http only for an upstream that is there itself', () => {
    const local = { baseUrl: 'http://127.0.0.1:8790', origins: ['http://localhost:9000', 'http://lan.example'] };
    expect(isTrustedUrl('http://127.0.0.1:8790/x', local)).toBe(true);
    expect(isTrustedUrl('http://localhost:9000/x', local)).toBe(true);
    expect(isTrustedUrl('http://127.0.0.1:8791/x', local)).toBe(false);
    expect(isTrustedUrl('http://lan.example/x', local)).toBe(false);
    expect(isTrustedUrl('http://127.0.0.1:8790/x', { baseUrl: 'https://127.0.0.1:8790' })).toBe(false);
  });

  it('names the field, not the address', () => {
    expect(() => assertTrustedUrl('https://evil.example/secret', 'viewUrl', trusted)).toThrow(
      expect.objectContaining({ code: 'untrusted_url', path: 'viewUrl', message: expect.not.stringContaining('evil') }),
    );
  });
});
