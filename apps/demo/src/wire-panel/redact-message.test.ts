import { expect, test } from 'vitest';
import { redactFields, redactHeaders, redactPath, redactPlainText } from './redact-message.ts';

const SESSION = 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';
const SECRET = 'S3cret-part_of-256-random-bits-abcdefghijkl';
const CREDENTIAL = 'p"ass<wörd> +%/7';

test.each<[string, () => unknown]>([
  ['a header', () => redactHeaders(new Headers({ x: encodeURIComponent(CREDENTIAL) }), [CREDENTIAL])],
  ['the path', () => redactPath(new URL(`http://h/a/${encodeURIComponent(CREDENTIAL)}/b`), [CREDENTIAL])],
  ['the name of a parameter', () => redactPath(new URL(`http://h/?${encodeURIComponent(CREDENTIAL)}`), [CREDENTIAL])],
  ['a field', () => redactFields({ x: [{ y: `before ${CREDENTIAL} after` }] }, [CREDENTIAL])],
  ['the name of a field', () => redactFields({ [CREDENTIAL]: 1 }, [CREDENTIAL])],
  ['plain text', () => redactPlainText(`before ${CREDENTIAL} after`, [CREDENTIAL])],
])('a credential is redacted in %s', (_place, write) => {
  const shown = JSON.stringify(write());
  expect(shown).toContain('[redacted]');
  for (const form of [JSON.stringify(CREDENTIAL).slice(1, -1), encodeURIComponent(CREDENTIAL)])
    expect(shown).not.toContain(form);
});

test('nothing of a card is kept from a form, even when its number is mistyped', () => {
  const form = { card_number: '4242 4242 4242 4241', cardNumber: '4242', expiry: '12/30', cvc: '737', guest: 'Ada' };
  expect(Object.entries(redactFields(form, []) as object)).toEqual([
    ['card_number', '[redacted]'],
    ['cardNumber', '[redacted]'],
    ['expiry', '[redacted]'],
    ['cvc', '[redacted]'],
    ['guest', 'Ada'],
  ]);
});

test('the header that says when an answer expires keeps its date', () => {
  const expires = 'Thu, 01 Jan 1970 00:00:00 GMT';
  expect(redactHeaders(new Headers({ expires }), [])).toEqual({ expires });
});

test('the secret behind an id that looks like a card number is redacted as well', () => {
  const url = new URL(`http://h/return/cs_${'0'.repeat(26)}/${SECRET}/success`);
  expect(redactPath(url, [])).toBe('/return/cs_[redacted]/[redacted]/success');
});

test('the secrets in addresses of sessions are redacted, and the ids before them are not', () => {
  expect(redactPath(new URL(`http://h/return/${SESSION}/${SECRET}/success`), [])).toBe(
    `/return/${SESSION}/[redacted]/success`,
  );
  expect(redactPath(new URL(`http://h/pay/${SESSION}_${SECRET}/qr.svg`), [])).toBe(`/pay/${SESSION}_[redacted]/qr.svg`);
  expect(redactPath(new URL('http://h/1234/hosted/payment?PD=eyJhIjoiYiJ9&x=1'), [])).toBe(
    '/1234/hosted/payment?PD=[redacted]&x=[redacted]',
  );
  expect(redactPlainText(`${SESSION.replace('c', 'd')}_aurora_${SECRET}`, [])).toBe(
    `${SESSION.replace('c', 'd')}_[redacted]`,
  );
  expect(
    redactFields(
      {
        url: 'http://u/1234/hosted/payment?PD=eyJhIjoiYiJ9%3D',
        links: [`http://p/pay/${SESSION}_${SECRET}`, encodeURIComponent(`/return/${SESSION}/${SECRET}/success`)],
        id: SESSION,
      },
      [],
    ),
  ).toEqual({
    url: 'http://u/1234/hosted/payment?PD=[redacted]',
    links: [`http://p/pay/${SESSION}_[redacted]`, `%2Freturn%2F${SESSION}%2F[redacted]%2Fsuccess`],
    id: SESSION,
  });
  expect(redactHeaders(new Headers({ location: 'http://u/1/hosted/payment?PD=eyJh' }), [])).toEqual({
    location: 'http://u/1/hosted/payment?PD=[redacted]',
  });
});

test('masks, amounts, times and ids stay readable', () => {
  const text = '424242......4242 33000 EUR 2026-11-21T14:00:00Z cs_01K9ZZZZZZZZZZZZZZZZZZZZZZ RES-1234';
  expect(redactPlainText(text, [])).toBe(text);
  expect(redactFields({ cardNo: '424242......4242' }, [])).toEqual({ cardNo: '424242......4242' });
});
