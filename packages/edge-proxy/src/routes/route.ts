/** What a route file exports. */
import type { AppContext } from '../middleware/app-context.ts';

/** One route: the app mounts it, the OpenAPI document is generated from the same list. */
export interface Route {
  /** HTTP method. */
  readonly method: 'GET' | 'POST';
  /** Path pattern with `:names`. It is also what the log says. */
  readonly path: string;
  /** Answers a request; a thrown `ProblemError` becomes a problem document. */
  readonly handle: (c: AppContext) => Promise<Response> | Response;
}
