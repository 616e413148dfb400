// What guides say of wrangler, asked of wrangler itself.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommandLine } from './run-innkeep.ts';
import { WRANGLER } from './worker-folder.ts';
import { WRANGLER_COMMANDS } from './wrangler-commands.ts';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What `wrangler <name> --help` prints. */
async function helpOf(name: string): Promise<string> {
  return (await runCommandLine(process.execPath, [WRANGLER, ...name.split(' '), '--help'])).stdout;
}

it.each(WRANGLER_COMMANDS)('wrangler has the command %s', async (name) => {
  expect((await helpOf(name)).trimStart()).toMatch(new RegExp(`^wrangler ${name}\\b`));
});

it('wrangler knows every command of the page about releases with its options', async () => {
  const page = await readFile(file('docs/guides/cloudflare-releases.md'), 'utf8');
  const lines = [...page.matchAll(/npx wrangler (versions \w+)([^`\n]*)/g)];
  const names = [...new Set(lines.map(([, name = '']) => name))];
  expect(names.sort()).toEqual(['versions deploy', 'versions upload']);
  for (const name of names) {
    const help = await helpOf(name);
    expect(help.trimStart()).toMatch(new RegExp(`^wrangler ${name}\\b`));
    const options = lines.flatMap(([, of, rest = '']) => (of === name ? (rest.match(/--[a-z-]+/g) ?? []) : []));
    for (const option of options) expect(help, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
});
