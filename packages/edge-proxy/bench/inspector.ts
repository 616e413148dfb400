/** Asks V8's inspector of a runtime that was started with `--inspector-addr`. */
export async function inspect(address: string) {
  const workers = (await (await fetch(`http://${address}/json`)).json()) as { readonly webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(workers[0]?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    // A heap snapshot comes in many parts, of which nothing is kept.
    const id = /^\{"id":(\d+)/.exec(String(data))?.[1];
    if (id !== undefined) waiting.get(Number(id))?.((JSON.parse(String(data)) as { result?: unknown }).result);
  });
  let calls = 0;
  return {
    call: <Result = unknown>(method: string, params = {}): Promise<Result> =>
      new Promise<Result>((resolve) => {
        calls += 1;
        waiting.set(calls, (result) => resolve(result as Result));
        socket.send(JSON.stringify({ id: calls, method, params }));
      }),
    close: () => socket.close(),
  };
}
