/** How the browser came to this document, and how far it is with it. */

/** Its entry, where there is one. */
export function pageLoad(): PerformanceNavigationTiming | undefined {
  return (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0];
}

/** Whether the scripts of the page have run. */
export const haveScriptsRun = (): boolean => pageLoad()?.domContentLoadedEventStart !== 0;

/** Once the scripts of the page have run, other than those that it loads later by itself. */
export async function scriptsRun(): Promise<void> {
  if (!haveScriptsRun()) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
}
