// The table of `pnpm bench proxy` in the documentation, and where its figures are kept.
import { join } from 'node:path';
import { ROOT } from './launch.ts';

/** What was measured, where and of what. */
export interface BenchResults {
  readonly commit: string;
  readonly machine: string;
  readonly date: string;
  /** In microseconds of processor time, by what was done. */
  readonly rows: Readonly<Record<string, { readonly product: number; readonly floor: number; readonly ratio: string }>>;
}

/** The figures that the documentation shows. */
export const RESULTS_FILE: string = join(ROOT, 'packages/edge-proxy/bench/results.json');
/** The page that shows them. */
export const PAGE: string = join(ROOT, 'docs/concepts/cost.md');
const PLACE = /(<!-- bench -->\n).*?(<!-- \/bench -->)/s;

/** The page with the table of these figures. */
export function withBenchTable(page: string, { commit, machine, date, rows }: BenchResults): string {
  const table = Object.entries(rows).map(
    ([what, { product, floor, ratio }]) => `| ${what} | ${product} | ${floor} | ${ratio} |`,
  );
  const text = [
    `Measured on ${date} at commit ${commit}, ${machine}:`,
    '',
    '| Microseconds | Proxy | Floor | Ratio |',
    '| --- | --- | --- | --- |',
    ...table,
    '',
    '',
  ].join('\n');
  return page.replace(PLACE, (_, begin: string, end: string) => `${begin}${text}${end}`);
}
