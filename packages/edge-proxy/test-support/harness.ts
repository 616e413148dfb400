/** A fake upstream and a fake clock for every test of a file. */
import { beforeEach } from 'vitest';
import { stopClock } from './clock.ts';
import { FakeUpstream } from './fake-upstream.ts';

/** Installs both around each test; the returned object always holds the current fake. */
export function useFakes(): { upstream: FakeUpstream } {
  const fakes = { upstream: new FakeUpstream() };
  beforeEach(() => {
    stopClock();
    fakes.upstream = new FakeUpstream().install();
  });
  return fakes;
}
