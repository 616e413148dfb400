/**
 * Lit's templates read `document` while they are imported. Node and Deno get a build of Lit that does without; Workers and
 * other servers get the browser's. For the length of that import they find this, and nothing that a library could
 * mistake for a browser stays behind.
 */
const isServer = typeof document === 'undefined';

if (isServer) Object.assign(globalThis, { document: { createTreeWalker: () => ({}) } });

/** Called once Lit is imported. */
export function removeServerDocument(): void {
  if (isServer) Reflect.deleteProperty(globalThis, 'document');
}
