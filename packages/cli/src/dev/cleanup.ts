/** Something that was started and can be stopped. */
export interface Closer {
  close(): Promise<void>;
}

/** What was started, to be stopped in reverse order. */
export interface Cleanup extends Closer {
  add(closer: Closer): void;
}

/** Stops the last started first. One that fails or hangs does not keep the others from being stopped. */
export function createCleanup({ limitMs, onError }: { limitMs: number; onError: (error: unknown) => void }): Cleanup {
  const started: Closer[] = [];
  return {
    add: (closer) => void started.push(closer),
    async close() {
      for (const closer of started.splice(0).reverse()) {
        let timer: NodeJS.Timeout | undefined;
        const tooLong = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('did not stop in time')), limitMs);
        });
        try {
          // Called inside the try: one that throws at once must not keep the others open, either.
          await Promise.race([closer.close(), tooLong]);
        } catch (error) {
          onError(error);
        } finally {
          clearTimeout(timer);
        }
      }
    },
  };
}
