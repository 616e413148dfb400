/** A body that comes byte by byte, each in the same memory: whoever keeps a piece, and with it all of the memory, finds the last byte in it. */
export function byteByByte(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const memory = new Uint8Array(4096);
  const bytes = new TextEncoder().encode(text).values();
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = bytes.next();
        if (done) return controller.close();
        memory[0] = value;
        controller.enqueue(memory.subarray(0, 1));
      },
    },
    { highWaterMark: 0 },
  );
}
