/** The built bundle under wrangler's test harness, which runs it as Cloudflare's own tools do. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHarness } from 'wrangler';
import { type BenchRuntime, costOf } from './runtime.ts';

const PACKAGE = join(import.meta.dirname, '..');

/** Starts the bundle with these secrets. */
export async function startHarness(secrets: Readonly<Record<string, string>>): Promise<BenchRuntime> {
  const others = new Set(runtimes());
  const harness = createTestHarness({
    root: PACKAGE,
    workers: [{ configPath: 'wrangler.jsonc', prebuiltWorkerDir: 'dist/bundle', secrets: { ...secrets } }],
  });
  const { url } = await harness.listen();
  const started = runtimes().filter((pid) => !others.has(pid));
  let cost: ReturnType<typeof costOf> | undefined;
  // There is a second runtime in front, which does the same for every request. The proxy is the one that has objects.
  const ofProxy = (): ReturnType<typeof costOf> => {
    cost ??= costOf(started.find(hasObjects) ?? 0);
    return cost;
  };
  return {
    url: url.origin,
    cpuMs: () => ofProxy().cpuMs(),
    memoryMiB: () => ofProxy().memoryMiB(),
    residentKib: () => ofProxy().residentKib(),
    stop: () => harness.close(),
  };
}

/** Process ids of the runtimes that this process has started. */
function runtimes(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return name === 'workerd' && Number(parent) === process.pid;
      } catch {
        // No process, or one that has ended.
        return false;
      }
    });
}

function hasObjects(pid: number): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(join(folder, fd)).includes('.sqlite');
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}
