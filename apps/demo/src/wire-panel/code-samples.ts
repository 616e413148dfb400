/** The code behind each page, as the build has collected it. */
import type { CodeSample } from './views/code-view.ts';

/** Pages with code of their own, by their addresses. The first match wins. */
const PAGES: readonly { readonly path: RegExp; readonly name: string }[] = [
  { path: /^\/bookings\/\w+\/confirmation/, name: 'confirmation' },
  { path: /^\/bookings\/\w+/, name: 'booking' },
  { path: /^\/desk/, name: 'desk' },
  { path: /^/, name: 'home' },
];

/** Where the build puts the collected code, below the site's root. */
const CODE_FILE = '/public/code.json';

/** Reads the code of the page at a path. A build without it has no samples, and says so by an error. */
export function codeSamples(
  files: (request: Request) => Promise<Response>,
  publicUrl: string,
): (path: string) => Promise<readonly CodeSample[]> {
  return async (path) => {
    const answer = await files(new Request(`${publicUrl}${CODE_FILE}`));
    if (!answer.ok) throw new Error(`${CODE_FILE} is missing: build the demo again.`);
    // Written by this package's own build.
    const pages = (await answer.json()) as Readonly<Record<string, readonly CodeSample[]>>;
    return pages[PAGES.find((page) => page.path.test(path))?.name ?? ''] ?? [];
  };
}
