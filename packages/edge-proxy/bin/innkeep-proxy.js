#!/usr/bin/env node
// Committed, unlike dist/: package managers link a bin at install time, and only when it is there.
const { main } = await import('../dist/runtime/serve-command-line.js').catch((error) => {
  if (!(error instanceof SyntaxError)) throw error;
  // An older Node names only what it lacks.
  console.error(`Node 22.12 or newer is needed, and this is ${process.version}: ${process.execPath}`);
  process.exit(1);
});

// A log on a full disk, or whose reader has gone, does not end what serves.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main(process.argv.slice(2));
