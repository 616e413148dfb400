// Prevents: bytes that creep in, and a README that tells of sizes long gone. Each package writes its budgets into
// .size-limit.json; 1 kB is 1,024 bytes after gzip -9, so limits are written in KiB, which is the only unit the tool reads that
// way. With --write the README's table is brought up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import { runCommand } from './run-command.ts';
import { publicPackages, ROOT, readJson } from './workspace.ts';

/** One budget of a .size-limit.json. */
export interface Budget {
  readonly name?: string;
  readonly path?: string | readonly string[];
  readonly limit?: string;
  readonly gzip?: boolean;
}

/** One measurement that size-limit reports. */
export interface Measurement {
  readonly name: string;
  readonly passed?: boolean;
  readonly size: number;
  readonly sizeLimit?: number;
}

/** Packages whose size users pay for, in bytes on a phone or in a Worker's start-up. */
const WITH_BUDGET: readonly string[] = ['packages/core', 'packages/widgets', 'packages/edge-proxy'];

/** What the README tells of, by the name of its budget. */
const README_ROWS: readonly { readonly what: string; readonly budget: string }[] = [
  { what: 'the script file: all three elements, English included', budget: 'cdn/widgets.js' },
  { what: '`@innkeep/core/checkout`, what a page of your own needs instead', budget: './checkout' },
  { what: '`@innkeep/core/merchant`, for your server', budget: './merchant' },
  { what: '`@innkeep/core/webhooks`', budget: './webhooks' },
  { what: 'one call to the payment service, login included', budget: './context + ./operations/pay' },
  { what: '`@innkeep/core`, every call', budget: '.' },
  { what: 'the proxy’s worker', budget: 'worker bundle' },
];

/** The README's table. Sizes are rounded up to half a kB, so that a comma moved in a source does not change the README. */
export function sizeTable(measurements: readonly Measurement[]): string {
  const rows = README_ROWS.map(({ what, budget }) => {
    const found = measurements.find(({ name }) => name === budget);
    if (found?.sizeLimit === undefined)
      throw new Error(`The README tells of “${budget}”, and no budget has that name.`);
    return [what, `${Math.ceil((found.size / 1024) * 2) / 2} kB`, `${found.sizeLimit / 1024} kB`] as const;
  });
  const width = Math.max(...rows.map(([what]) => what.length));
  const line = (cells: readonly [string, string, string]): string =>
    `| ${cells[0].padEnd(width)} | ${cells[1].padStart(7)} | ${cells[2].padStart(7)} |`;
  return [
    line(['What', 'gzip', 'limit']),
    `| ${'-'.repeat(width)} | ${'-'.repeat(6)}: | ${'-'.repeat(6)}: |`,
    ...rows.map(line),
  ].join('\n');
}

/** The README with this table between its two marks. */
export function withSizeTable(readme: string, table: string): string {
  const [before, rest] = readme.split(TABLE_START);
  const after = rest?.split(TABLE_END)[1];
  if (before === undefined || after === undefined) throw new Error('README.md has no marks for the table of sizes.');
  return `${before}${TABLE_START}\n\n${table}\n\n${TABLE_END}${after}`;
}

const TABLE_START = '<!-- sizes: written by scripts/check-size.ts --write -->';
const TABLE_END = '<!-- /sizes -->';

/** Budgets that would be measured with another ruler. */
export function findBudgetProblems(file: string, budgets: readonly Budget[]): readonly Problem[] {
  if (budgets.length === 0) return [{ file, message: 'has no budget' }];
  return budgets.flatMap((budget) => {
    const name = budget.name ?? String(budget.path);
    return [
      ...(budget.name === undefined ? [{ file, message: `${name}: has no name` }] : []),
      ...(budget.gzip === true ? [] : [{ file, message: `${name}: say "gzip": true, or it is measured in brotli` }]),
      ...(/^\d+(?:\.\d+)? KiB$/.test(budget.limit ?? '')
        ? []
        : [{ file, message: `${name}: write the limit in KiB (1,024 bytes), not “${budget.limit}”` }]),
    ];
  });
}

/** Measurements over their budget, in words. */
export function findOversize(file: string, measurements: readonly Measurement[]): readonly Problem[] {
  return measurements
    .filter(({ passed }) => passed !== true)
    .map(({ name, size, sizeLimit }) => ({ file, message: `${name}: ${kib(size)} of ${kib(sizeLimit ?? 0)}` }));
}

/** The JSON that size-limit prints; undefined when it printed an error instead. */
function parseMeasurements(output: string): readonly Measurement[] | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(2)} KiB`;
}

if (import.meta.main) {
  const problems: Problem[] = [];
  let fullest = { name: 'nothing', share: 0 };
  const all: Measurement[] = [];
  for (const { folder } of publicPackages()) {
    const file = `${folder}/.size-limit.json`;
    if (!existsSync(join(ROOT, file))) {
      if (WITH_BUDGET.includes(folder))
        problems.push({ file, message: 'is not there: this package has a size budget' });
      continue;
    }
    problems.push(...findBudgetProblems(file, readJson(join(ROOT, file)) as readonly Budget[]));
    const { code, output } = await runCommand(['size-limit', '--json'], { cwd: join(ROOT, folder) });
    const measurements = parseMeasurements(output);
    if (measurements === undefined) {
      problems.push({ file, message: `size-limit ended with ${code}: ${output}` });
      continue;
    }
    problems.push(...findOversize(file, measurements));
    all.push(...measurements);
    for (const { name, size, sizeLimit } of measurements) {
      const share = sizeLimit === undefined ? 0 : size / sizeLimit;
      if (share > fullest.share) fullest = { name, share };
    }
  }
  const readmeFile = join(ROOT, 'README.md');
  const readme = readFileSync(readmeFile, 'utf8');
  const fresh = withSizeTable(readme, sizeTable(all));
  if (process.argv.includes('--write')) writeFileSync(readmeFile, fresh);
  else if (fresh !== readme)
    problems.push({ file: 'README.md', message: 'its table of sizes is old: node scripts/check-size.ts --write' });
  reportProblems(
    problems,
    'Find what grew: npx pnpm exec size-limit --why in the package. A larger budget is a decision (docs/decisions).',
    `${all.length} budgets; the fullest is ${fullest.name} at ${Math.round(fullest.share * 100)} %`,
  );
}
