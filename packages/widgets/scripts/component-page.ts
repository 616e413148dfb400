/** Serves the component page: every element in every state, theme and language. */
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** A running component page. */
export type ComponentPage = Awaited<ReturnType<typeof serveComponentPage>>;

/** Starts serving on loopback; port 0 takes a free one. */
export async function serveComponentPage(port: number) {
  const server = await createServer({
    configFile: false,
    root: `${PACKAGE}/component-page`,
    publicDir: `${PACKAGE}/dist/cdn`,
    logLevel: 'warn',
    optimizeDeps: { include: ['lit'] },
    server: { host: '127.0.0.1', port, strictPort: port > 0, fs: { allow: [PACKAGE] } },
  });
  await server.listen();
  return { url: new URL(server.resolvedUrls?.local[0] ?? '').origin, close: () => server.close() };
}
