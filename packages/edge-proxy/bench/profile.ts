/** Where the time of a call goes: V8's own profile of the worker, by the file that the code was written in. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** What of a profile is read here. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

const SAMPLE_MICROSECONDS = 200;
const SHOWN = 30;

/** Profiles a worker while it works. What is native counts for the function that calls it; logging costs more than without. */
export async function profile(address: string, work: () => Promise<unknown>): Promise<CpuProfile> {
  const { call, close } = await inspect(address);
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await call('Profiler.start');
  await work();
  const { profile: found } = await call<{ readonly profile: CpuProfile }>('Profiler.stop');
  close();
  return found;
}

/** Self time of the parts, the dearest first. */
export function byPart({ nodes, samples, timeDeltas }: CpuProfile, bundle: string) {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(join(dirname(bundle), `${basename(url)}.map`)));
    return maps.get(url);
  };
  const partOf = ({ functionName, url, lineNumber, columnNumber }: CallFrame): string => {
    const entry = mapOf(url)?.findEntry(lineNumber, columnNumber) ?? {};
    const source = 'originalSource' in entry ? String(entry.originalSource) : url;
    return source.replace(/^.*node_modules\//, '').replace(/^(\.\.\/)+/, '') || functionName || '(native)';
  };
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, n) => {
    const part = parts.get(id) ?? '';
    // A longer one is a pause, which is no work of whoever comes after it.
    const time = Math.min(timeDeltas[n] ?? 0, 2 * SAMPLE_MICROSECONDS);
    if (part !== '(idle)') times.set(part, (times.get(part) ?? 0) + time);
  });
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0);
  const dearest = [...times].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
  return dearest.map(([part, time]) => ({ part, share: `${((time / whole) * 100).toFixed(1)} %` }));
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
}

/** Asks V8's inspector of a runtime that was started with `--inspector-addr`. */
async function inspect(address: string) {
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
