// `pnpm proxy --port 8787 --env FILE --data DIR [--moto]`: the edge proxy alone, in the local Workers runtime.
import { build, stopWithLauncher } from './launch.ts';

stopWithLauncher();
build('@innkeep/edge-proxy');
const { main } = await import('../packages/edge-proxy/dist/runtime/serve-command-line.js');
await main(process.argv.slice(2));
