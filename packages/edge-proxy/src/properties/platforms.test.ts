import { parsePlatformFields } from '@innkeep/core/contract';
import { describe, expect, it } from 'vitest';
import { parsePlatforms, platformsOf } from './platforms.ts';

const SECRET = `whsec_${'A'.repeat(43)}=`;
const key = (id: string, digit: string, changes: object = {}) => ({
  id,
  sha256: digit.repeat(64),
  scopes: ['events'],
  properties: ['*'],
  ...changes,
});
const platform = (changes: object = {}): string =>
  JSON.stringify({ displayName: 'Alpine Booking', keys: [key('all', 'a')], ...changes });
const webhook = (url: string, changes: object = {}) => ({ url, secret: SECRET, ...changes });

/** What is said about a platform that cannot be used. */
function issue(changes: object): string | undefined {
  return parsePlatforms({ PLATFORM_ALPINE: platform(changes) }).issues[0];
}

describe('the platforms of an environment', () => {
  it('are its PLATFORM_ secrets, with defaults filled in', () => {
    const { all, invalid, issues } = parsePlatforms({
      PLATFORM_ALPINE: platform({ webhooks: [webhook('https://alpine.example/hooks')] }),
      PROPERTY_AURORA: '{}',
      PLATFORM_: platform(),
      OTHER: 1,
    });
    expect([invalid, issues]).toEqual([[], []]);
    expect(all).toMatchObject([{ id: 'alpine', livemode: false, webhooks: [{ properties: ['*'] }] }]);
  });

  it('are read once', () => {
    const environment = { PLATFORM_ALPINE: platform() };
    expect(platformsOf(environment)).toBe(platformsOf(environment));
    expect(platformsOf(environment).all.map(({ id }) => id)).toEqual(['alpine']);
  });

  it('that share a key leave it to the first of the alphabet', () => {
    const { findByHash, issues } = parsePlatforms({ PLATFORM_B: platform(), PLATFORM_A: platform() });
    expect(findByHash('a'.repeat(64))?.platform.id).toBe('a');
    expect(issues).toEqual(['PLATFORM_B: key "all" is also a key of another platform']);
  });

  it.each<[string, object]>([
    ['displayName', { displayName: '' }],
    ['keys', { keys: [] }],
    ['keys.0.sha256', { keys: [key('a', 'x')] }],
    ['keys.0.scopes', { keys: [key('a', 'a', { scopes: [] })] }],
    ['keys.0.properties.0', { keys: [key('a', 'a', { properties: ['al*ine'] })] }],
    ['keys.0.properties', { keys: [key('a', 'a', { properties: [] })] }],
    ['webhooks.0.url', { webhooks: [webhook('http://alpine.example/hooks')] }],
    ['webhooks.0.url', { webhooks: [webhook('https://10.0.0.1/hooks')] }],
    ['webhooks.0.secret', { webhooks: [webhook('https://alpine.example', { secret: 'secret-marker' })] }],
    ['webhooks.0.properties', { webhooks: [webhook('https://alpine.example', { properties: [] })] }],
    ['webhooks', { livemode: true, webhooks: [webhook('http://127.0.0.1:4000/hooks')] }],
    ['colour', { colour: 'secret-marker' }],
    ['keys.0.colour', { keys: [key('a', 'a', { colour: 'secret-marker' })] }],
  ])('that cannot be used are named with the field: %s', (field, changes) => {
    expect(issue(changes)).toContain(`PLATFORM_ALPINE: field "${field}"`);
    expect(issue(changes)).not.toContain('secret-marker');
    expect(parsePlatforms({ PLATFORM_ALPINE: platform(changes) }).invalid).toEqual(['alpine']);
  });

  it('that lack a field, or have another kind of value in it, hear so', () => {
    expect(parsePlatforms({ PLATFORM_ALPINE: '{}' }).issues).toEqual([
      'PLATFORM_ALPINE: field "displayName" is missing',
    ]);
    expect(parsePlatforms({ PLATFORM_ALPINE: '[]' }).invalid).toEqual(['alpine']);
  });

  it('are read with a name that is not written any more', () => {
    const json = { displayName: 'a\nb', keys: [key('all', 'a')] };
    expect(issue(json)).toBeUndefined();
    expect(parsePlatformFields(json, true)).toMatchObject({ issues: [{ field: 'displayName' }] });
  });

  it('that cannot be used leave the others alone', () => {
    const { all, issues } = parsePlatforms({ PLATFORM_ALPINE: platform(), PLATFORM_BROKEN: '{' });
    expect(all.map(({ id }) => id)).toEqual(['alpine']);
    expect(issues).toEqual(['PLATFORM_BROKEN: must be JSON']);
  });

  it('that cannot be used leave those who hold their keys told why', () => {
    const keys = [key('a', 'A', { scopes: ['evnts'] }), key('b', 'b'), 5];
    const { unusableOf, findByHash, issues } = parsePlatforms({
      PLATFORM_ALPINE: platform({ keys }),
      ...{ PLATFORM_BROKEN: '{', PLATFORM_NULL: 'null', PLATFORM_LIST: platform({ keys: {} }) },
    });
    expect(issues).toHaveLength(4);
    for (const digit of ['a', 'b']) {
      expect(findByHash(digit.repeat(64))).toBeUndefined();
      const unusable = { id: 'alpine', variable: 'PLATFORM_ALPINE', issue: issues[0] };
      expect(unusableOf(digit.repeat(64))).toEqual(unusable);
    }
    expect(unusableOf('c'.repeat(64))).toBeUndefined();
  });

  it('may have webhooks on this machine while they are not live', () => {
    expect(issue({ webhooks: [webhook('http://127.0.0.1:4000/hooks')] })).toBeUndefined();
  });
});

describe('a platform key', () => {
  it('is found by its hash, whatever its case', () => {
    const { findByHash } = parsePlatforms({ PLATFORM_ALPINE: platform({ keys: [key('all', 'A')] }) });
    expect(findByHash('a'.repeat(64))).toMatchObject({ platform: { id: 'alpine' }, key: { id: 'all' } });
    expect(findByHash('b'.repeat(64))).toBeUndefined();
  });
});

describe('the events of a hotel', () => {
  const { webhooksFor, feedsWith } = parsePlatforms({
    PLATFORM_ALPINE: platform({
      keys: [
        key('a', 'a', { properties: ['alpine_*'] }),
        key('b', 'b', { scopes: ['checkout'], properties: ['aurora'] }),
      ],
      webhooks: [
        webhook('https://alpine.example/all'),
        webhook('https://alpine.example/one', { properties: ['alpine_1'] }),
      ],
    }),
    PLATFORM_VALLEY: platform({ keys: [key('c', 'c')], webhooks: [webhook('https://valley.example/all')] }),
  });
  const urls = (id: string, livemode = false) =>
    webhooksFor({ id, livemode }).map(({ platform, webhook: { url } }) => [platform, url]);

  it('go to the webhooks of platforms that have a key for it, as far as each webhook is for it', () => {
    const valley = ['valley', 'https://valley.example/all'];
    expect(urls('alpine_1')).toEqual([
      ['alpine', 'https://alpine.example/all'],
      ['alpine', 'https://alpine.example/one'],
      valley,
    ]);
    expect(urls('alpine_2')).toEqual([['alpine', 'https://alpine.example/all'], valley]);
    expect(urls('aurora')).toEqual([['alpine', 'https://alpine.example/all'], valley]);
    expect(urls('borealis')).toEqual([valley]);
  });

  it('are in the feeds of platforms that have a key to read them', () => {
    expect(feedsWith({ id: 'alpine_1', livemode: false })).toEqual(['alpine', 'valley']);
    expect(feedsWith({ id: 'aurora', livemode: false })).toEqual(['valley']);
  });

  it('of a live hotel are for platforms with livemode alone', () => {
    expect([urls('alpine_1', true), feedsWith({ id: 'alpine_1', livemode: true })]).toEqual([[], []]);
    const live = parsePlatforms({ PLATFORM_LIVE: platform({ livemode: true, keys: [key('d', 'd')] }) });
    expect(live.feedsWith({ id: 'alpine_1', livemode: true })).toEqual(['live']);
  });
});
