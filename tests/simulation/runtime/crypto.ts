/** What the worker uses of `crypto`, computed at once: a round trip to another thread costs more than the work. */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';

interface Key {
  readonly bytes: Uint8Array;
}

/**
 * @param chance numbers from 0 to 1
 * @param later gives a result to whoever waits for it
 */
export function cryptoWithoutThreads(
  chance: () => number,
  later: <Value>(value: Value) => Promise<Value> = (value) => Promise.resolve(value),
): unknown {
  const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
    data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
  const derived = new Map<string, Key>();
  const subtle = {
    digest: (name: string, data: ArrayBuffer | ArrayBufferView) =>
      later(toBuffer(hash(name.replace('-', ''), bytesOf(data), 'buffer'))),
    importKey: (_format: string, data: ArrayBuffer | ArrayBufferView) =>
      Promise.resolve({ bytes: new Uint8Array(bytesOf(data)) }),
    sign: (_name: unknown, key: Key, data: ArrayBuffer | ArrayBufferView) =>
      later(toBuffer(createHmac('sha256', key.bytes).update(bytesOf(data)).digest())),
    deriveKey: (how: { salt: Uint8Array; info: Uint8Array }, key: Key) => {
      const name = [key.bytes, how.salt, how.info].map((bytes) => Buffer.from(bytes).toString('base64')).join('.');
      const known = derived.get(name) ?? {
        bytes: new Uint8Array(hkdfSync('sha256', key.bytes, how.salt, how.info, 32)),
      };
      derived.set(name, known);
      return Promise.resolve(known);
    },
    encrypt: (how: { iv: Uint8Array; additionalData: Uint8Array }, key: Key, data: Uint8Array) => {
      const cipher = createCipheriv('aes-256-gcm', key.bytes, how.iv).setAAD(how.additionalData);
      return later(toBuffer(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()])));
    },
    decrypt: (how: { iv: Uint8Array; additionalData: Uint8Array }, key: Key, data: Uint8Array) => {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, how.iv).setAAD(how.additionalData);
        decipher.setAuthTag(data.subarray(-16));
        return later(toBuffer(Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()])));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
  const getRandomValues = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(chance() * 256);
    return bytes;
  };
  const randomUUID = (): string => {
    const hex = Buffer.from(getRandomValues(new Uint8Array(16))).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { subtle, getRandomValues, randomUUID };
}
