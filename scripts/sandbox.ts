// `pnpm sandbox --port 8790`: the simulated upstream alone. Its own command line does the rest.
import { build, stopWithLauncher } from './launch.ts';

stopWithLauncher();
build('@innkeep/sandbox');
await import('../packages/sandbox/dist/serve.js');
