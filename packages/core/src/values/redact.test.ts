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

  it('takes a plain word after Bearer or Basic for prose, but not after the name of the header', () => {
    expect(redactText('Basic fraud check failed; bearer of card: unknown.')).toBe(
      'Basic fraud check failed; bearer of card: unknown.',
    );
    expect(redactText('{"Authorization":"Bearer abc"} authorization: Basic abc')).toBe(
      '{"Authorization":"Bearer [redacted]"} authorization: Basic [redacted]',
    );
  });

  it('blanks a secret also as JSON, forms and addresses write it', () => {
    const secret = 'pä"ss\\w /+';
    const written = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      new URLSearchParams([['', secret]]).toString().slice(1),
    ];
    expect(redactText(written.join(' | '), [secret])).toBe(written.map(() => '[redacted]').join(' | '));
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

  it('blanks card numbers and secrets that are numbers or names of fields', () => {
    expect(
      redactJson(
        {
          pan: 4242424242424242,
          cardNo: 4242424242424242,
          '4242424242424242': 1,
          code: 987,
          n: 6011000990139424000,
          ok: 12000,
        },
        ['987'],
      ),
    ).toEqual({
      pan: '[redacted]',
      cardNo: '424242......4242',
      '[redacted]': 1,
      code: '[redacted]',
      n: '[redacted]',
      ok: 12000,
    });
  });

  it('blanks long secrets, and keeps names that hold a short one by chance', () => {
    expect(redactJson({ user: 'user', 'a hunter2-hunter2': 1 }, ['user', 'hunter2-hunter2'])).toEqual({
      user: '[redacted]',
      'a [redacted]': 1,
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
