import { generate } from 'lean-qr';
import { expect, it } from 'vitest';
import { qrText } from './qr-text.ts';

it('prints the light squares of the code, two rows to a line', () => {
  const code = generate('http://192.168.1.20:3000');
  const lines = qrText('http://192.168.1.20:3000').split('\n');
  for (let y = -2; y < code.size + 2; y++) {
    for (let x = -2; x < code.size + 2; x++) {
      const sign = lines[Math.floor((y + 2) / 2)]?.[x + 4] ?? '?';
      const isLight = (y % 2 === 0 ? '█▀' : '█▄').includes(sign);
      expect([x, y, isLight]).toEqual([x, y, !code.get(x, y)]);
    }
  }
});
