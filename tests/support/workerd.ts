import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The runtime itself; the command of the package is a wrapper that passes no descriptors on. */
const { default: WORKERD } = createRequire(new URL('../../packages/core/package.json', import.meta.url))('workerd');

/** Serves `worker.js` of a folder in the Workers runtime. `more`: what its configuration has besides. */
export async function serveWorker(folder: string, more = ''): Promise<{ readonly url: string; stop(): void }> {
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-09-01",
  ${more}
);
`;
  await writeFile(join(folder, 'config.capnp'), config);
  const workerd = spawn(WORKERD, ['serve', '--experimental', '--control-fd=3', 'config.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    workerd.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
    // It says on its control pipe which port it got.
    workerd.stdio[3]?.on('data', (line: Buffer) => {
      const [, port] = /"event":"listen".*"port":(\d+)/.exec(line.toString()) ?? [];
      if (port !== undefined) resolve(port);
    });
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => void workerd.kill('SIGKILL') };
}
