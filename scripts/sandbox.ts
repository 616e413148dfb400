// `pnpm sandbox --port 8790`: the simulated upstream alone. Its own command line does the rest.
import { build } from './build.ts';
import { stopWithLauncher } from './stop-with-launcher.ts';

stopWithLauncher();
build('@innkeep/sandbox');
await import('../packages/sandbox/dist/serve.js');
