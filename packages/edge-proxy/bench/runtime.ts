/** A `workerd serve` of its own for one bundle, and what its process costs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { freePort } from '../../../scripts/launch.ts';
import { untilReady } from '../src/runtime/serve-proxy.ts';
import { workerdPath } from '../src/runtime/serve-workerd-path.ts';

/** How often a worker that starts is asked whether it has. */
const ASK_EVERY_MS = 3;

/** How to bundle and bind one worker. */
export interface BenchWorker {
  readonly folder: string;
  readonly configuration: (paths: { port: number; bundle: string; storageDir: string }) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Options of `workerd serve`. */
  readonly options?: readonly string[];
  /** Built bundle, or a source to bundle the way the product is. */
  readonly bundle?: string;
  readonly source?: string;
}

export type BenchRuntime = Awaited<ReturnType<typeof startRuntime>>;

/** Starts a worker and waits until it answers anything. */
export async function startRuntime(worker: BenchWorker) {
  mkdirSync(join(worker.folder, 'objects'), { recursive: true });
  const bundle = worker.bundle ?? join(worker.folder, 'worker.js');
  if (worker.source !== undefined) {
    await build({
      entryPoints: [worker.source],
      outfile: bundle,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2024',
      conditions: ['workerd', 'worker'],
      external: ['cloudflare:workers'],
      logLevel: 'error',
    });
  }
  const port = await freePort();
  const config = join(worker.folder, 'config.capnp');
  const paths = { port, bundle: relative(worker.folder, bundle), storageDir: join(worker.folder, 'objects') };
  writeFileSync(config, worker.configuration(paths));
  // The product logs a line per request; writing it is part of the cost, reading it is not.
  const startedAt = performance.now();
  const child = spawn(workerdPath(), ['serve', ...(worker.options ?? []), config], {
    env: { ...worker.env },
    stdio: 'ignore',
  });
  // A bench that fails leaves nothing running.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').finally(() => process.off('exit', kill));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, exited, ASK_EVERY_MS);
  return {
    url,
    ...costOf(child.pid ?? 0),
    pid: child.pid ?? 0,
    bundle,
    /** From the spawn to the first answer. */
    startMs: performance.now() - startedAt,
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** What a process costs. */
export function costOf(pid: number) {
  return {
    /** CPU of the process so far, by its threads: to the nanosecond, where the process's own figure has ticks of 10 ms. */
    cpuMs(): number {
      const threads = `/proc/${pid}/task`;
      const nanoseconds = (thread: string): number =>
        Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]);
      return readdirSync(threads).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e6;
    },
    memoryMiB: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}
