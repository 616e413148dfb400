import type { Context } from 'hono';

/** The fields of a posted form. A body of another kind has no field that a form of ours has. */
export async function readForm(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
