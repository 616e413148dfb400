/**
 * Masks card numbers in a body of any kind, in place: six digits, dots, four digits. Everything else keeps its byte, since
 * only the property-management system knows what it means.
 */
import { cardNumberSpans } from '@innkeep/core/values';

/** Read in one go: about as long as others may be kept waiting. */
const CHUNK_BYTES = 16_384;
/** More than a card number and the blanks between its digits take in any encoding. */
const OVERLAP_BYTES = 128;
const DOT = 0x2e;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const singleByte = new TextDecoder('windows-1252');
const encoder = new TextEncoder();

/**
 * Masks what a card network gives out, alone or in groups; other long numbers are bookings more often than cards. Understands
 * UTF-8, UTF-16 and every encoding in which an ASCII digit is one byte.
 */
export async function maskCardNumbers(bytes: Uint8Array): Promise<void> {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  for (let start = 0; ; ) {
    const end = isWide ? start + CHUNK_BYTES : endOfCharacter(bytes, start + CHUNK_BYTES);
    maskChunk(bytes.subarray(start, end), isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : undefined);
    if (end >= bytes.length) return;
    start = isWide ? end - OVERLAP_BYTES : endOfCharacter(bytes, end - OVERLAP_BYTES);
    // Whoever waits for something else is served first.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function maskChunk(chunk: Uint8Array, wide: 'utf-16le' | 'utf-16be' | undefined): void {
  const text =
    wide === undefined ? decode(chunk) : new TextDecoder(wide, { fatal: false, ignoreBOM: true }).decode(chunk);
  const spans = cardNumberSpans(text, { issued: true });
  if (spans.length === 0) return;
  const widthOf = wide !== undefined ? (part: string) => 2 * part.length : widthIn(text, chunk);
  let readTo = 0;
  let offset = 0;
  for (const [from, to] of spans) {
    const span = text.slice(from, to);
    const digits = span.replaceAll(/\D/g, '').length;
    offset += widthOf(text.slice(readTo, from));
    let nth = 0;
    for (const character of span) {
      const isDigit = character >= '0' && character <= '9';
      if (isDigit) nth += 1;
      if (isDigit && nth > 6 && nth <= digits - 4) chunk[offset + (wide === 'utf-16be' ? 1 : 0)] = DOT;
      offset += widthOf(character);
    }
    readTo = to;
  }
}

/** UTF-8 when it is that, else one character for each byte. */
function decode(chunk: Uint8Array): string {
  try {
    return utf8.decode(chunk);
  } catch {
    return singleByte.decode(chunk);
  }
}

/** How many bytes a part of a decoded text takes. */
function widthIn(text: string, chunk: Uint8Array): (part: string) => number {
  return text.length === chunk.length ? (part) => part.length : (part) => encoder.encode(part).length;
}

/** The same place, or the next one that is not within a character of UTF-8. */
function endOfCharacter(bytes: Uint8Array, place: number): number {
  let end = Math.min(Math.max(place, 0), bytes.length);
  for (let nth = 0; nth < 3 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80; nth++) end += 1;
  return end;
}
