/**
 * Before each test file: all share one runtime, and each begins as if it had just started. The proxy's modules remember nothing, the
 * bindings are as configured, no object of an earlier file is awake or ever wakes again (`worker.ts`), and the file's objects have
 * names of their own: the runtime's own `reset` leaves what objects have stored that were put to sleep.
 */
import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach } from 'vitest';
import { sharedRuntime } from './shared-runtime.ts';

interface ModuleNode {
  promise: unknown;
  exports: unknown;
  evaluated: boolean;
  readonly importers: Set<string>;
}
type Invoke = (name: string, data: readonly [url: string, importer: string, options?: { cached?: boolean }]) => unknown;
interface ModuleRunner {
  readonly transport: { invoke: Invoke };
  readonly vitestOptions: { readonly transport: { resolveId(id: string): unknown } };
}
/** What vitest keeps in a worker: `vi.resetModules` does to all modules what is done here to the proxy's own. */
interface Runner {
  readonly __vitest_worker__: {
    readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, ModuleNode> };
  };
  readonly __vitest_mocker__: { readonly moduleRunner: ModuleRunner };
}
const runner = globalThis as unknown as Runner;

const { evaluatedModules } = runner.__vitest_worker__;
for (const [id, module] of evaluatedModules.idToModuleMap) {
  // The description of the API is the same for all, and dear to make.
  if (!/\/edge-proxy\/(src|openapi|test-support)\//.test(id) || /\/(exchange-check|validate-exchange)\.ts$/.test(id))
    continue;
  Object.assign(module, { promise: undefined, exports: undefined, evaluated: false });
  module.importers.clear();
}
const runtime = sharedRuntime(env);
if (runtime.files === 0) {
  askLess(runner.__vitest_mocker__.moduleRunner);
  for (const level of ['log', 'warn', 'error'] as const)
    console[level] = (...parts: unknown[]) => void runtime.lines.push(parts.join(' '));
}
runtime.files += 1;
// First of all, so that nothing that is still under way meets what this file is given.
await abortAllDurableObjects();

// What the proxy only waits out, as between two polls, takes a hundredth of the time. Its time limits stay as they are.
scheduler.wait = (ms, options) => runtime.wait(ms < 500 ? ms : ms / 100, options);

// What a test that fails has logged is shown. Vitest would send every line to its own process, and those that come after the last test
// have no one left to send them to.
const { bindings, files, lines, info } = runtime;
afterEach(({ task }) => {
  if (task.result?.state === 'fail' && lines.length > 0) info(lines.join('\n'));
  lines.length = 0;
});
for (const name of Object.keys(env)) Reflect.deleteProperty(env, name);
Object.assign(env, bindings);
for (const namespace of Object.values(env as object)) {
  const { getByName } = Object.getPrototypeOf(namespace) as Partial<DurableObjectNamespace>;
  if (getByName === undefined) continue;
  namespace.getByName = (name: string) => Reflect.apply(getByName, namespace, [`${files} ${name}`]);
}

/** Each import, and each call of an object, asks where a module is and whether it is still the same. It is, while a run lasts. */
function askLess({ transport, vitestOptions }: ModuleRunner): void {
  const { invoke } = transport;
  transport.invoke = (name, data) =>
    name === 'fetchModule' && data[2]?.cached ? Promise.resolve({ cache: true }) : invoke(name, data);
  const { resolveId } = vitestOptions.transport;
  const resolved = new Map<string, unknown>();
  vitestOptions.transport.resolveId = async (id) => {
    if (!resolved.has(id)) resolved.set(id, await resolveId(id));
    return resolved.get(id);
  };
}
