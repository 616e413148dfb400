import { describe, expect, test } from 'vitest';
import { AURORA, BOREALIS, KEYS, SEALING_KEY } from '../../test-support/environment.ts';
import { sha256Hex } from '../http/hash.ts';
import {
  describeInvalid,
  type Property,
  parseProperties,
  parseProperty,
  sealingSecretsOf,
  withSealingKeys,
} from './configured-properties.ts';

/** Parses Aurora with changes and answers with the issue. */
function issue(changes: Readonly<Record<string, unknown>>): { field: string; message: string } | undefined {
  const property = parseProperty('aurora', JSON.stringify({ ...AURORA, ...changes }));
  return property.invalid ? { field: property.field, message: property.message } : undefined;
}

describe('a property', () => {
  test('with all required fields is read, defaults filled in', () => {
    const { livemode: _1, allowedOrigins: _2, viewOrigins: _3, webhooks: _4, surcharge: _5, ...required } = AURORA;
    expect(parseProperty('aurora', JSON.stringify(required))).toMatchObject({
      invalid: false,
      id: 'aurora',
      livemode: false,
      allowedOrigins: [],
      viewOrigins: [],
      webhooks: [],
      expiresInUnit: 'seconds',
      uncertainReturnCodes: ['68', '91', '96'],
      // Nobody has said yet that a status proves anything.
      refusalStatuses: [],
      surcharge: false,
      moto: false,
    });
  });

  // What each field may hold is a matter of its schema.
  test.each([
    ['a typing mistake', { hotelld: '1' }, 'hotelld'],
    ['an unknown field deep down', { gateway: { apiKey: 'x'.repeat(40), allow: [], port: 1 } }, 'gateway.port'],
    ['a code with a space in it', { uncertainReturnCodes: ['91', '9 6'] }, 'uncertainReturnCodes.1'],
    ['an http origin elsewhere', { origins: ['http://hotel.test'] }, 'origins.0'],
    ['an http status origin', { allowedOrigins: ['http://127.0.0.1:1'] }, 'allowedOrigins.0'],
    ['a key with a field too many', { merchantKeys: [{ ...AURORA.merchantKeys[0], x: 1 }] }, 'merchantKeys.0.x'],
  ])('with %s names the field', (_, changes, field) => {
    expect(issue(changes)?.field).toBe(field);
  });

  test('never repeats a value in its issue', () => {
    expect(JSON.stringify(issue({ password: { oops: 'pass-marker' } }))).not.toContain('pass-marker');
    expect(JSON.stringify(issue({ timeZone: 'zone-marker' }))).not.toContain('zone-marker');
    expect(JSON.stringify(issue({ amountUnit: 'unit-marker' }))).not.toContain('unit-marker');
  });
});

describe('all properties', () => {
  const environment = {
    PUBLIC_URL: 'https://proxy.test',
    PROPERTY_AURORA: JSON.stringify(AURORA),
    PROPERTY_BROKEN: JSON.stringify({ ...BOREALIS, origins: ['https://broken.test'], user: '' }),
    NO_PROPERTY_X: '{}',
    'PROPERTY_X-Y': '{}',
    PROPERTY_lower: '{}',
  };

  test('stay apart: one that is broken leaves the others alone', () => {
    const properties = parseProperties(environment);
    expect(properties.all.map(({ id, invalid }) => [id, invalid])).toEqual([
      ['aurora', false],
      ['broken', true],
    ]);
  });

  test('are found by key, the broken one included', async () => {
    const properties = parseProperties(environment);
    expect(properties.findByHash(await sha256Hex(KEYS.aurora))?.property.id).toBe('aurora');
    expect(properties.findByHash(await sha256Hex(KEYS.borealis))?.property.id).toBe('broken');
    expect(properties.findByHash(await sha256Hex('sk_wrong'))).toBeUndefined();
  });

  test('are found by a key whose entry has a field too many: its caller learns what is wrong', async () => {
    const [web, books] = AURORA.merchantKeys;
    const property = { ...AURORA, merchantKeys: [{ ...web, note: 'x' }, books, { id: 'odd' }] };
    const properties = parseProperties({ PROPERTY_AURORA: JSON.stringify(property) });
    for (const key of [KEYS.aurora, KEYS.auroraEvents]) {
      expect(properties.findByHash(await sha256Hex(key))?.property).toMatchObject({
        invalid: true,
        field: 'merchantKeys.0.note',
      });
    }
  });

  test('that cannot be read at all have nothing that could be called', () => {
    const nothing = { invalid: true, id: 'aurora', isRemoved: false, field: '', merchantKeys: [] };
    expect(parseProperty('aurora', 5)).toEqual({ ...nothing, message: 'must be text that holds JSON' });
    expect(parseProperty('aurora', '{')).toEqual({ ...nothing, message: 'must be JSON' });
    expect(parseProperty('aurora', '5')).toMatchObject({ invalid: true, merchantKeys: [] });
  });

  test('take sixteen kibibytes and not a byte more', () => {
    const long = JSON.stringify(AURORA).padEnd(16_384);
    expect(parseProperty('aurora', long)).toMatchObject({ invalid: false, isRemoved: false, sealingKeys: [] });
    const tooLong = { invalid: true, field: '', message: 'must be at most 16 KiB' };
    expect(parseProperty('aurora', `${long} `)).toMatchObject(tooLong);
  });

  test('that share a key break the later one, because nobody could tell whose call it is', async () => {
    const { all, find, findByHash } = parseProperties({
      PROPERTY_B: JSON.stringify(AURORA),
      PROPERTY_A: JSON.stringify(AURORA),
    });
    expect(findByHash(await sha256Hex(KEYS.aurora))?.property).toBe(find('a'));
    expect(find('a')).toMatchObject({ id: 'a', invalid: false });
    expect(all.map((property) => (property.invalid ? describeInvalid(property) : 'fine'))).toEqual([
      'fine',
      'PROPERTY_B: field "merchantKeys.0.sha256" is also a key of another property: every key belongs to one',
    ]);
  });
});

describe('the sealing keys of a deployment', () => {
  const older = 'ab'.repeat(32);
  const withKeys = (SEALING_KEYS: unknown, fields: object = BOREALIS): Property | string => {
    const [property] = parseProperties({ SEALING_KEYS, PROPERTY_X: JSON.stringify(fields) }).all;
    if (property === undefined) throw new Error('no property');
    return property.invalid ? describeInvalid(property) : property;
  };

  test.each([
    ['spaces', `${SEALING_KEY} ${older}`],
    ['lines', `\n${SEALING_KEY}\r\n${older}\n`],
    ['commas', `${SEALING_KEY}, ${older}`],
  ])('seal with the newest, and open what was sealed before, passwords included (%s)', (_, keys) => {
    const property = withKeys(keys, { ...BOREALIS, previousPassword: 'older-password' });
    expect(sealingSecretsOf(property as Property)).toEqual([SEALING_KEY, older, BOREALIS.password, 'older-password']);
  });

  test.each([undefined, null, '', ' '])('are needed by a live hotel, and by no other (%j)', (keys) => {
    expect(withKeys(keys)).toContain('PROPERTY_X: is live and needs SEALING_KEYS');
    expect(sealingSecretsOf(withKeys(keys, AURORA) as Property)).toEqual([AURORA.password]);
  });

  test('that are wrong leave a removed hotel removed', () => {
    const removed = { ...(parseProperty('x', JSON.stringify(AURORA)) as Property), isRemoved: true };
    expect(withSealingKeys(removed, ['short-key'])).toMatchObject({ invalid: true, isRemoved: true });
  });

  test.each(['short-key', SEALING_KEY.slice(1), `${SEALING_KEY} key-marker`, 'g'.repeat(64)])(
    'are refused when one is none, without repeating it (%s)',
    (keys) => {
      for (const fields of [AURORA, BOREALIS]) {
        expect(withKeys(keys, fields)).toContain('SEALING_KEYS must be keys of 32 bytes');
        expect(withKeys(keys, fields)).not.toContain(keys.slice(-9));
      }
    },
  );

  test('leave the caller with a merchant key told what is wrong', async () => {
    const properties = parseProperties({ PROPERTY_X: JSON.stringify(BOREALIS) });
    expect(properties.findByHash(await sha256Hex(KEYS.borealis))?.property).toMatchObject({ invalid: true, id: 'x' });
  });
});
