// Prevents: bytes that creep in. Each package writes its budgets into .size-limit.json; 1 kB is 1,024 bytes after gzip -9, so
// limits are written in KiB, which is the only unit the tool reads that way.
import { existsSync } from 'node:fs';
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
  let count = 0;
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
    count += measurements.length;
    for (const { name, size, sizeLimit } of measurements) {
      const share = sizeLimit === undefined ? 0 : size / sizeLimit;
      if (share > fullest.share) fullest = { name, share };
    }
  }
  reportProblems(
    problems,
    'Find what grew: npx pnpm exec size-limit --why in the package. A larger budget is a decision (docs/decisions).',
    `${count} budgets; the fullest is ${fullest.name} at ${Math.round(fullest.share * 100)} %`,
  );
}
