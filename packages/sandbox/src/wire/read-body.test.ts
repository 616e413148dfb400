import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const MEBIBYTE = 1024 * 1024;

/** A body of that many chunks of one mebibyte, and what became of it. */
function bodyOf(chunks: number) {
  const fate = { left: chunks, isCanceled: false };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      fate.left -= 1;
      controller.enqueue(new Uint8Array(MEBIBYTE));
      if (fate.left === 0) controller.close();
    },
    cancel: () => {
      fate.isCanceled = true;
    },
  });
  return { body, fate };
}

it('reads a body up to its limit', async () => {
  expect((await readBody(bodyOf(2).body, 2 * MEBIBYTE))?.length).toBe(2 * MEBIBYTE);
});

it('reads too large a body to its end, so that its connection can be used again', async () => {
  const { body, fate } = bodyOf(4);
  expect([await readBody(body, MEBIBYTE), fate]).toEqual([undefined, { left: 0, isCanceled: false }]);
});

it('does not read a body without an end', async () => {
  const { body, fate } = bodyOf(Number.POSITIVE_INFINITY);
  expect([await readBody(body, MEBIBYTE), fate.isCanceled]).toEqual([undefined, true]);
});
