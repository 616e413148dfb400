/** What moves on a page by itself. */
import type { Page } from 'playwright';

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** One shift: its value, as Web Vitals count it, and what has moved, by its markup. */
interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Watches a page from its next load on; the answer is what has moved since its last. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const found: Shift[] = [];
    Object.assign(globalThis, { layoutShifts: found });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        // What happens inside the panel beside the page moves nothing of the page.
        const nodes = sources
          .map(({ node }) => node)
          .filter((node) => node?.parentElement?.closest('.wire-panel') == null);
        const moved = nodes.map((node) => (node instanceof Element ? node.outerHTML.slice(0, 80) : String(node)));
        if (moved.length > 0) found.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(async () => {
      // The observer hears of a frame after the frame.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return (globalThis as unknown as { layoutShifts: Shift[] }).layoutShifts;
    });
}
