import type { Browser, BrowserContextOptions } from 'playwright';

/** How big the phone is that the journeys are walked on. */
const PHONE = { width: 375, height: 800 };

/**
 * A new page in a context of its own, on a phone unless told otherwise. A form that is sent back with what is wrong with
 * it has a status of 400 or 409, which Chromium logs like a missing file: such a line about a document is no problem.
 */
export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', viewport: PHONE, ...options });
  /** Console errors, uncaught exceptions and breaches of the content security policy, so far. */
  const problems: string[] = [];
  const refusedDocuments = new Set<string>();
  context.on('response', (response) => {
    const isRefused = response.status() === 400 || response.status() === 409;
    if (isRefused && response.request().isNavigationRequest()) refusedDocuments.add(response.url());
  });
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const isAboutForm = /^Failed to load resource: .*\b(400|409)\b/.test(message.text());
    if (!(isAboutForm && refusedDocuments.has(message.location().url)))
      problems.push(`${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (failure) => problems.push(failure.error().message));
  // A policy that only reports, or an element that swallows its own failure, would not reach the console.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { page: await context.newPage(), problems };
}
