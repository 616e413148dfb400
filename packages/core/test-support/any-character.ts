import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode: `fc.string({ unit: ANY_CHARACTER })`. fast-check’s own `binary` is the same, but first lists all million
 * characters, which takes seconds.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count), positionOf);

/** The way back, by which fast-check finds texts that code often gets wrong, such as `__proto__`, among these. */
function positionOf(character: unknown): number {
  const code = String(character).codePointAt(0) ?? Number.NaN;
  if (String(character) !== String.fromCodePoint(code)) throw new Error('more than one character');
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}
