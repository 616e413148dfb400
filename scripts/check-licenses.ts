// Prevents: a license in what we publish that its users would have to think about. Reads what `pnpm licenses list --json` prints.
import { text } from 'node:stream/consumers';

const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

// pnpm's own output, by license.
const packages = JSON.parse(await text(process.stdin)) as Readonly<
  Record<string, readonly { readonly name: string }[]>
>;
const others = Object.entries(packages).filter(([license]) => !ALLOWED.includes(license));
for (const [license, users] of others) console.log(`${license}: ${users.map(({ name }) => name).join(', ')}`);
process.exitCode = Object.keys(packages).length > 0 && others.length === 0 ? 0 : 1;
