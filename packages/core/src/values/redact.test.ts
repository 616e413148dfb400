import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactJson, redactText, redactUrl } from './redact.ts';
import { Redacted } from './redacted.ts';

describe('Redacted', () => {
  it('shows itself only when asked', () => {
    const secret = new Redacted('s3cret');
    expect(secret.reveal()).toBe('s3cret');
    const shown = [
      String(secret),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ a: { b: secret } }),
      `${{ ...secret }}`,
    ];
    expect(shown.join()).not.toContain('s3cret');
  });
});

describe('redactText', () => {
  it('blanks bearer tokens, card numbers and known secrets', () => {
    expect(redactText('Bearer abc.def-1, card 4242 4242 4242 4242, pw hunter2', ['hunter2'])).toBe(
      'Bearer [redacted], card [redacted], pw [redacted]',
    );
  });

  it('never leaves a known secret in a text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, secret, after) => {
        fc.pre(!'[redacted]'.includes(secret));
        expect(redactText(before + secret + after, [secret]).replaceAll('[redacted]', '')).not.toContain(secret);
      }),
      { seed: 20260601, examples: [['[redacted', 'x', '']] },
    );
  });
});

describe('redactJson', () => {
  it('blanks by name of the field at any depth, and masks card numbers', () => {
    const value = {
      cardNo: '4242424242424242',
      cvc: '123',
      deep: [{ Password: 'p', access_token: 't', viewUrl: 'https://x', ok: 'yes', cvc: '' }],
      note: 'card 4242424242424242',
      amount: 12000,
      nothing: null,
    };
    expect(redactJson(value)).toEqual({
      cardNo: '424242......4242',
      cvc: '[redacted]',
      deep: [{ Password: '[redacted]', access_token: '[redacted]', viewUrl: '[redacted]', ok: 'yes', cvc: '' }],
      note: 'card [redacted]',
      amount: 12000,
      nothing: null,
    });
  });
});

describe('redactUrl', () => {
  it('keeps the path and the names of query parameters', () => {
    expect(redactUrl('https://user:pw@pay.example/4711/API/RMS/x?api_key=k&a=%2Fb#frag')).toBe(
      'https://pay.example/4711/API/RMS/x?api_key=[redacted]&a=[redacted]',
    );
    expect(redactUrl('https://pay.example/%E0%?b=%E0%&b=2')).toBe('https://pay.example/%E0%?b=[redacted]');
  });
});
