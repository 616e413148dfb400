/** What the code under test writes down. */
import { beforeEach, vi } from 'vitest';

/** Takes what is written to the console in these ways around each test; the returned list always holds the lines so far. */
export function useLog(...ways: ('log' | 'warn' | 'error')[]): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  beforeEach(() => {
    lines.length = 0;
    for (const way of ways) vi.spyOn(console, way).mockImplementation((line) => void lines.push(JSON.parse(line)));
  });
  return lines;
}
