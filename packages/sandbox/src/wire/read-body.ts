// A client that still sends while it is answered breaks its connection, and the next call on it with it.
const MAX_THROWN_AWAY = 32 * 1024 * 1024;

/** All bytes of a body, or undefined when there are more than `limit`: the rest is then read and thrown away. */
export async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > limit + MAX_THROWN_AWAY) {
      await reader.cancel();
      return undefined;
    }
    if (length <= limit) chunks.push(part.value);
  }
  if (length > limit) return undefined;
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
