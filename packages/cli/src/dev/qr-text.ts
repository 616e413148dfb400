import { generate } from 'lean-qr';

const MARGIN = 2;
const SIGNS = ['█', '▀', '▄', ' '] as const;

/** A QR code for a terminal with light text on dark, two rows of squares to a line. */
export function qrText(content: string): string {
  const code = generate(content);
  const lines: string[] = [];
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = '';
    for (let x = -MARGIN; x < code.size + MARGIN; x++) {
      // Dark squares are left out: what is printed is the light between them.
      const [isUpperDark, isLowerDark] = [code.get(x, y), code.get(x, y + 1)];
      line += SIGNS[(isUpperDark ? 2 : 0) + (isLowerDark ? 1 : 0)];
    }
    lines.push(`  ${line}`);
  }
  return lines.join('\n');
}
