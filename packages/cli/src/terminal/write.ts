import { forTerminal } from './plain-text.ts';

/** What {@link write} needs of a standard stream. */
type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/**
 * Writes to a standard stream: a file or another program gets it byte for byte; a terminal gets nothing that
 * could steer it, whoever the text is from. False: nobody reads it any more.
 */
export function write(stream: Output, data: string | Uint8Array): Promise<boolean> {
  return new Promise((done, fail) => {
    stream.write(stream.isTTY ? forTerminal(data) : data, (error) => {
      // The reader may have read enough: `innkeep events list | head`.
      if (error === null || error === undefined) done(true);
      else if ((error as NodeJS.ErrnoException).code === 'EPIPE') done(false);
      else fail(error);
    });
  });
}
