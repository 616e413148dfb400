// Prevents: a new operation, element, route or scenario that misses one of the places it has to appear in.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './run-command.ts';
import { KINDS, type Kind, type Scaffold, scaffold } from './scaffold.ts';
import { ROOT, readText } from './workspace.ts';

const USAGE = `npx pnpm run new <kind> <name>

  operation cardInfo            a call of the payment service, by its own name
  element refund-notice         a web component, by its tag
  route read-exchange-rate      a route of the proxy
  scenario answer-in-latin-1    a way in which the sandbox can behave`;

const [kind = '', name = ''] = process.argv.slice(2);
if (!isKind(kind) || name === '') {
  console.error(USAGE);
  process.exit(1);
}
try {
  await write(scaffold(kind, name, readText));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function isKind(text: string): text is Kind {
  return (KINDS as readonly string[]).includes(text);
}

async function write({ created, edited, next }: Scaffold): Promise<void> {
  const taken = Object.keys(created).filter((file) => existsSync(join(ROOT, file)));
  if (taken.length > 0) throw new Error(`Nothing was written, since there is already: ${taken.join(', ')}`);
  for (const [file, text] of [...Object.entries(created), ...Object.entries(edited)]) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
  }
  const files = [...Object.keys(created), ...Object.keys(edited)];
  const { code, output } = await runCommand(['biome', 'check', '--write', '--colors=off', ...files]);
  if (code !== 0) console.log(output);
  for (const file of Object.keys(created)) console.log(`made     ${file}`);
  for (const file of Object.keys(edited)) console.log(`changed  ${file}`);
  console.log(`\nNow it is your turn:\n${next.map((line) => `- ${line}`).join('\n')}`);
}
