import { describe, expect, it } from 'vitest';
import { changedFields, mergePatch } from './configuration-change.ts';

describe('a merge patch', () => {
  // The examples of RFC 7396, appendix A, whose patch is an object.
  it.each<[unknown, Record<string, unknown>, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j with %j is %j', (target, patch, merged) => {
    expect(mergePatch(target, patch)).toEqual(merged);
  });

  it('leaves what it is applied to as it was', () => {
    const target = { gateway: { allow: ['a'] } };
    mergePatch(target, { gateway: { allow: null } });
    expect(target).toEqual({ gateway: { allow: ['a'] } });
  });
});

it.each<[unknown, unknown, string[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ['a']],
  [{ b: 1 }, { a: 1 }, ['a', 'b']],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ['a.c']],
  [{ a: { b: 1 } }, {}, ['a']],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a']],
  [{ a: [1] }, { a: [1] }, []],
  [{ a: null }, { a: 0 }, ['a']],
])('the fields that changed from %j to %j are %j', (before, after, fields) => {
  expect(changedFields(before, after)).toEqual(fields);
});
