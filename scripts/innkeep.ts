// `pnpm -s innkeep <command>`: the command-line tool, built first. `pnpm exec innkeep` runs what was built last.
import { build } from './launch.ts';

build('@innkeep/cli');
await import('../packages/cli/dist/main.js');
