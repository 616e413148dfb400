import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, or in a part of it, as readable lines. */
export async function violationsOf(page: Page, part = ':root', options: RunOptions = {}): Promise<string[]> {
  // Evaluated as the browser's developer tools would: a page's own policy may let no foreign script in.
  await page.evaluate(AXE);
  return page.evaluate(
    async ([part, options]) => {
      // Put there by the line above.
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(part, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
      );
    },
    [part, options] as const,
  );
}
