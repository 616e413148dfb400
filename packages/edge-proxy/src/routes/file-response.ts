/** A file that is served as it is. It lies beside the bundle, so that no request pays for it but its own. */
import type { AppContext } from '../middleware/app-context.ts';

/** Answers with the file at the request's path. */
export async function fileResponse(c: AppContext, type: string): Promise<Response> {
  const file = await c.get('dependencies').readFile(c.req.path);
  return new Response(file.body, {
    status: file.status,
    headers: { 'content-type': type, 'cache-control': 'public, max-age=300' },
  });
}
