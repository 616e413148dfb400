import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Context } from 'hono';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Sends one file of a folder, and never one outside of it. */
export async function sendFile(c: Context, folder: URL, name: string): Promise<Response> {
  const file = new URL(name, folder);
  const type = CONTENT_TYPES[extname(file.pathname)];
  if (type === undefined || !file.pathname.startsWith(folder.pathname)) return c.notFound();
  try {
    return c.body(await readFile(file), 200, { 'content-type': type, 'cache-control': 'no-cache' });
  } catch {
    return c.notFound();
  }
}
