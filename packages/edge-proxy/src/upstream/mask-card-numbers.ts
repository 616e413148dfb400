/**
 * Masks card numbers in a body of any kind, in place: six digits, dots, four digits. Everything else keeps its byte, since
 * only the property-management system knows what it means.
 */
import { cardNumberSpans } from '@innkeep/core/values';

/** Characters that are read in one go: about as long as others may be kept waiting. */
const CHUNK = 16_384;
const DOT = 0x2e;

/** A body as text, and where its characters stand among its bytes. */
interface Decoded {
  readonly text: string;
  /** Bytes of a character, by its code unit. */
  readonly widthOf: (unit: number) => number;
  /** The byte of an ASCII character that says which one it is. */
  readonly lowByte: 0 | 1;
  /** What masks the other bytes of a digit that has several: more dots, or what makes them one. */
  readonly rest: typeof DOT | 0;
}

/**
 * Masks what a card network gives out, alone or in groups; other long numbers are bookings more often than cards. Understands
 * UTF-8, UTF-16 and every encoding in which an ASCII digit is one byte.
 */
export async function maskCardNumbers(bytes: Uint8Array): Promise<void> {
  const decoded = decode(bytes);
  const { text } = decoded;
  const place = { character: 0, byte: 0 };
  let waiting: [start: number, end: number] | undefined;
  for (let from = 0; from < text.length; from += CHUNK) {
    for (const span of cardNumberSpans(text, { issued: true, from, to: Math.min(from + CHUNK, text.length) })) {
      // What overlaps is one, as within a chunk.
      if (waiting !== undefined && span[0] < waiting[1]) waiting[1] = Math.max(waiting[1], span[1]);
      else {
        if (waiting !== undefined) mask(waiting);
        waiting = span;
      }
    }
    // Whoever waits for something else is served first.
    if (from + CHUNK < text.length) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  if (waiting !== undefined) mask(waiting);

  function mask([start, end]: readonly [number, number]): void {
    goTo(start);
    const last = digitFromEnd(text, end, 4);
    for (let nth = 0; place.character < last; goTo(place.character + 1)) {
      const unit = text.charCodeAt(place.character);
      if (!isDigit(unit)) continue;
      nth += 1;
      if (nth <= 6) continue;
      bytes.fill(decoded.rest, place.byte, place.byte + decoded.widthOf(unit));
      bytes[place.byte + decoded.lowByte] = DOT;
    }
  }

  function goTo(character: number): void {
    for (; place.character < character; place.character++) {
      place.byte += decoded.widthOf(text.charCodeAt(place.character));
    }
  }
}

function decode(bytes: Uint8Array): Decoded {
  const mark = `${bytes[0]} ${bytes[1]}`;
  // Without a mark, every other byte of ASCII in UTF-16 is zero.
  const zeros = String(bytes.slice(0, 4).map(Math.sign));
  const isBig = mark === '254 255' || zeros === '0,1,0,1';
  if (isBig || mark === '255 254' || zeros === '1,0,1,0') {
    const decoder = new TextDecoder(isBig ? 'utf-16be' : 'utf-16le', { fatal: false, ignoreBOM: true });
    return { text: decoder.decode(bytes), widthOf: () => 2, lowByte: isBig ? 1 : 0, rest: 0 };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, widthOf: text.length === bytes.length ? () => 1 : widthInUtf8, lowByte: 0, rest: DOT };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), widthOf: () => 1, lowByte: 0, rest: DOT };
  }
}

/** Of a pair of surrogates, which are four bytes, each counts half. */
function widthInUtf8(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}

/** Where a digit stands, counted from the end. */
function digitFromEnd(text: string, end: number, count: number): number {
  let at = end;
  for (let digits = 0; digits < count; ) if (isDigit(text.charCodeAt(--at))) digits += 1;
  return at;
}

/** As card numbers are written: ASCII, Arabic, Persian and full-width digits. */
function isDigit(unit: number): boolean {
  return (unit & 15) < 10 && (unit < 0x660 ? unit >> 4 === 3 : [0x66, 0x6f, 0xff1].includes(unit >> 4));
}
