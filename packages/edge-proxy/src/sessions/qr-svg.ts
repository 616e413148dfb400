import { toSvgSource } from 'lean-qr/extras/svg';
import { correction, generate } from 'lean-qr/nano';

/** Draws a text in black on white, with the quiet zone the standard asks for. */
export function qrSvg(text: string): string {
  return toSvgSource(generate(text, { minCorrectionLevel: correction.M }), { off: 'white', scale: 8 });
}
