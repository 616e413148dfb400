// What guides say of wrangler, asked of wrangler itself.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommandLine } from './run-innkeep.ts';
import { WRANGLER_COMMANDS } from './wrangler-commands.ts';

const WRANGLER = fileURLToPath(new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url));

it.each(WRANGLER_COMMANDS)('wrangler has the command %s', async (name) => {
  const { stdout } = await runCommandLine(process.execPath, [WRANGLER, ...name.split(' '), '--help']);
  expect(stdout.trimStart()).toMatch(new RegExp(`^wrangler ${name}\\b`));
});
