import { vi } from 'vitest';

/** Repeats without a pause, until mocks are restored: a chance that no real one has takes off the whole of it. */
export function withoutPauses(): void {
  vi.spyOn(Math, 'random').mockReturnValue(2);
}
