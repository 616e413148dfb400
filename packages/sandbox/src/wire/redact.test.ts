import { expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const redactor = createRedactor(['s3cret!']);
const JSON_TYPE = 'application/json; charset=utf-8';

it('hides secrets by their name at any depth, and by their value anywhere', () => {
  const body = {
    outer: [{ password: 'x', CVC: 123, access_token: 'y' }],
    text: 'a s3cret! b',
    cardNo: '4242424242424242',
  };
  expect(redactor.body(JSON_TYPE, JSON.stringify(body))).toEqual({
    outer: [{ password: '[redacted]', CVC: '[redacted]', access_token: '[redacted]' }],
    text: 'a [redacted] b',
    cardNo: '424242......4242',
  });
});

it('keeps nothing of a body that cannot be read', () => {
  expect(redactor.body(JSON_TYPE, '{"password":"s3cret!"')).toBe('[unreadable, 21 characters]');
});

it('hides keys in addresses and in headers, and keeps the scheme', () => {
  expect(redactor.path(new URL('https://x/1/API/a/b?api_key=abc&q=s3cret!'))).toBe(
    '/1/API/a/b?api_key=%5Bredacted%5D&q=[redacted]',
  );
  const headers = new Headers({ authorization: 'Bearer abc', 'x-api-key': 'abc', accept: '*/*' });
  expect(redactor.headers(headers)).toEqual({
    accept: '*/*',
    authorization: 'Bearer [redacted]',
    'x-api-key': '[redacted]',
  });
});

it('keeps every row short and survives bodies of any depth', () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field${index}`, 'x']));
  expect(redactor.body(JSON_TYPE, JSON.stringify(many))).toMatch(/^\[too long/);
  expect(redactor.body('application/x-www-form-urlencoded', new URLSearchParams(many).toString())).toMatch(
    /^\[too long/,
  );
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  expect(JSON.stringify(redactor.body(JSON_TYPE, deep))).toContain('[too deep]');
});
