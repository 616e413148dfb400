// `pnpm run docs --port 4400`: builds the documentation site and serves it alone, on loopback.
import { build, readOptions, stopWithLauncher } from './launch.ts';

const { port } = readOptions({ port: '4400' });
stopWithLauncher();
console.log('Building: half a minute the first time, under a second when nothing changed …');
build('@innkeep/docs');

// Imported late: what it reads exists only once the build has run.
const { serveDocs } = await import('./docs-server.ts');
try {
  const { url } = await serveDocs(Number(port));
  console.log(`\nready ${url}      Stop with Ctrl-C.`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}. Choose another port with --port.`);
  process.exitCode = 1;
}
