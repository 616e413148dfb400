import { forTerminal } from './plain-text.ts';

/** What {@link write} needs of a standard stream. */
type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/**
 * Writes to a standard stream: a file or another program gets what it is, byte for byte; a terminal gets nothing that
 * could steer it, whoever the text is from.
 */
export function write(stream: Output, data: string | Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(stream.isTTY ? forTerminal(data) : data, (error) => {
      // Whoever reads us may have heard enough: `innkeep events list | head`.
      if (error === null || error === undefined || (error as NodeJS.ErrnoException).code === 'EPIPE') done();
      else fail(error);
    });
  });
}
