/** Where the native runtime is. The package's own wrapper script would be one more process to lose. */
import { createRequire } from 'node:module';

/** Path of the binary for this machine. */
export function workerdPath(): string {
  const fromHere = createRequire(import.meta.url);
  const fromWorkerd = createRequire(fromHere.resolve('workerd/package.json'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? '64' : process.arch;
  const extension = process.platform === 'win32' ? '.exe' : '';
  return fromWorkerd.resolve(`@cloudflare/workerd-${platform}-${arch}/bin/workerd${extension}`);
}
