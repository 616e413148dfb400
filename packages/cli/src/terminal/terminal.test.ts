import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';
import { shellWords } from './shell-words.ts';
import { detailList, table } from './table.ts';
import { write } from './write.ts';

describe('plainText', () => {
  it('takes what could steer a terminal out of text from elsewhere', () => {
    expect(plainText('\u001b[2Jpaid\u001b]0;title\u0007\r\nfake\u202eline')).toBe(' [2Jpaid ]0;title fake line');
  });

  it('shows nothing as a dash', () => {
    expect([null, undefined, '', 0].map(plainText)).toEqual(['–', '–', '–', '0']);
  });
});

describe('shellWords', () => {
  it('writes words that a shell reads back unchanged', () => {
    const words = ["it's", 'two words', '$HOME', '`id`', 'a;b', '', '--x=1', 'ü', 'line\nbreak'];
    const output = execFileSync('sh', ['-c', `for word in ${shellWords(words)}; do printf '%s\\0' "$word"; done`]);
    expect(output.toString().split('\0').slice(0, -1)).toEqual(words);
  });
});

describe('table', () => {
  it('lines columns up and ends lines without spaces', () => {
    const rows = [
      { id: 'a', amount: '1.00 EUR' },
      { id: 'long', amount: null },
    ];
    expect(
      table(rows, [
        ['ID', ({ id }) => id],
        ['AMOUNT', ({ amount }) => amount],
      ]),
    ).toBe('ID    AMOUNT\na     1.00 EUR\nlong  –\n');
  });

  it('puts one fact on one line', () => {
    expect(
      detailList([
        ['Id', 'x'],
        ['Amount', '1\n2'],
      ]),
    ).toBe('Id      x\nAmount  1 2\n');
  });
});

describe('write', () => {
  const HOSTILE = 'paid\u001b[2J\u001b]0;title\u0007\u009b1m\u202e\r\nRows\tof two\rlines\n';

  function streamOf(isTTY: boolean): { stream: Parameters<typeof write>[0]; written: unknown[] } {
    const written: unknown[] = [];
    const stream = {
      isTTY,
      write(data: unknown, done: unknown) {
        written.push(data);
        if (typeof done === 'function') done();
        return true;
      },
    };
    return { stream, written };
  }

  it.each([HOSTILE, Buffer.from(HOSTILE)])('hands a terminal nothing that could steer it', async (data) => {
    const { stream, written } = streamOf(true);
    await write(stream, data);
    expect(written).toEqual(['paid\ufffd[2J\ufffd]0;title\ufffd\ufffd1m\ufffd\r\nRows\tof two\ufffdlines\n']);
  });

  it.each([HOSTILE, Buffer.from(HOSTILE)])('hands files and programs what it is', async (data) => {
    const { stream, written } = streamOf(false);
    await write(stream, data);
    expect(written).toEqual([data]);
  });
});
