// What guides say of wrangler, asked of wrangler itself.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommandLine } from './run-innkeep.ts';
import { WRANGLER } from './worker-folder.ts';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What `wrangler <name> --help` prints. */
async function helpOf(name: string): Promise<string> {
  return (await runCommandLine(process.execPath, [WRANGLER, ...name.split(' '), '--help'])).stdout;
}

it('wrangler has every command that a guide names, with its options', async () => {
  const lines: (readonly string[])[] = [];
  for (const guide of [
    'cloudflare-releases',
    'deploy-the-proxy',
    'many-hotels',
    'observe',
    'platform-keys',
    'rotate-keys',
  ]) {
    const text = await readFile(file(`docs/guides/${guide}.md`), 'utf8');
    lines.push(...text.matchAll(/npx wrangler ((?:secret |versions )?[a-z]+)([^`\n|&<]*)/g));
  }
  const names = new Set(lines.map(([, name = '']) => name));
  expect([...names]).toEqual(expect.arrayContaining(['secret put', 'versions deploy', 'versions upload']));
  expect(names.size).toBeGreaterThan(6);
  for (const name of names) {
    const help = await helpOf(name);
    expect(help.trimStart()).toMatch(new RegExp(`^wrangler ${name}\\b`));
    const options = lines.flatMap(([, of, rest = '']) => (of === name ? (rest.match(/--[a-z-]+/g) ?? []) : []));
    for (const option of options) expect(help, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
});
