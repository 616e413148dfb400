/** What the isolate of a runtime holds in memory, by the runtime's inspector. */
import { inspect } from './inspector.ts';

/** Bytes that are in use in the isolate once its garbage is collected. */
export type HeapBytes = () => Promise<number>;

/** Asks the inspector of a runtime that was started with `--inspector-addr`. */
export async function inspectHeap(address: string): Promise<HeapBytes> {
  const { call } = await inspect(address);
  await call('HeapProfiler.enable');
  return async () => {
    // It collects garbage first, and says when it has; `collectGarbage` is never answered.
    await call('HeapProfiler.takeHeapSnapshot');
    return (await call<{ readonly usedSize: number }>('Runtime.getHeapUsage')).usedSize;
  };
}
