/** What the isolate of a runtime holds in memory, by the runtime's inspector. */

/** Bytes that are in use in the isolate once its garbage is collected. */
export type HeapBytes = () => Promise<number>;

/** Asks the inspector of a runtime that was started with `--inspector-addr`. */
export async function inspectHeap(address: string): Promise<HeapBytes> {
  const [worker] = (await (await fetch(`http://${address}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(worker?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    // A snapshot comes in many parts, of which nothing is kept.
    const id = /^\{"id":(\d+)/.exec(String(data))?.[1];
    if (id !== undefined) waiting.get(Number(id))?.((JSON.parse(String(data)) as { result?: unknown }).result);
  });
  let calls = 0;
  const call = <Result>(method: string): Promise<Result> =>
    new Promise<Result>((resolve) => {
      calls += 1;
      waiting.set(calls, (result) => resolve(result as Result));
      socket.send(JSON.stringify({ id: calls, method }));
    });
  await call('HeapProfiler.enable');
  return async () => {
    // It collects garbage first, and says when it has; `collectGarbage` is never answered.
    await call('HeapProfiler.takeHeapSnapshot');
    return (await call<{ readonly usedSize: number }>('Runtime.getHeapUsage')).usedSize;
  };
}
