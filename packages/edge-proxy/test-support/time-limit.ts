/** Time limits of the proxy that end early. */
import { vi } from 'vitest';

/** Ends limits of so many milliseconds as soon as this is so, instead of after that time. The others stay. */
export function endTimeLimit(limitMs: number, isOver: () => boolean): void {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    const end = (): unknown => (isOver() ? run() : setTimeout(end, 5));
    return ms === limitMs ? setTimeout(end, 5) : setTimeout(run, ms);
  }) as typeof setTimeout);
}
