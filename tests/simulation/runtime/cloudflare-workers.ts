/** Stands for `cloudflare:workers`: the base class, and the bindings of whoever runs the worker. */

/** What an object's class extends. */
export class DurableObject<Env = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

/** Here everything that was begun goes on by itself. */
export function waitUntil(): void {}

/** The bindings. */
export let env: Record<string, unknown> = {};
/** The worker's handlers. */
export let exports: Record<string, unknown> = {};

/** Says what both are from now on: the very object that objects are given, so that what the proxy keeps by it is one. */
export function provide(next: {
  readonly env: Record<string, unknown>;
  readonly exports: { default: { fetch(request: Request): Promise<Response> } };
}): void {
  ({ env, exports } = next);
}
