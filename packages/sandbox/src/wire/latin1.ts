/** ISO-8859-1 by hand: runtimes disagree about what their own decoders do with that name. */

/** Every byte is the character with the same number. */
export function fromLatin1(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += 8_192) {
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)));
  }
  return chunks.join('');
}

/** Characters → bytes; `toReference` writes what ISO-8859-1 has no byte for. */
export function toLatin1(text: string, toReference: (codePoint: number) => string): Uint8Array<ArrayBuffer> {
  const ascii = Array.from(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    // 0x80 to 0x9F are control characters there, and euro signs and quotes only in windows-1252.
    const hasByte = codePoint < 0x80 || (codePoint >= 0xa0 && codePoint <= 0xff);
    return hasByte ? character : toReference(codePoint);
  }).join('');
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** What real senders mean by the bytes 0x80 to 0x9F, whatever they declare. */
export function readAsWindows1252(latin1: string): string {
  return latin1.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character);
}

/** The number that windows-1252 has for a character above 0xFF, or undefined. */
export function windows1252ByteOf(codePoint: number): number | undefined {
  const index = WINDOWS_1252.indexOf(String.fromCodePoint(codePoint));
  return index === -1 ? undefined : index + 0x80;
}
