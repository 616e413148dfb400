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

/** The bindings and the worker's own handlers, once {@link provide} has set them. */
interface Provided {
  env: Record<string, unknown>;
  exports: { default: { fetch(request: Request): Promise<Response> } };
}

let provided: Provided | undefined;

/** Says what `env` and `exports` are from now on. */
export function provide(next: Provided): void {
  provided = next;
}

function lookUp(kind: keyof Provided): Record<string, unknown> {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (provided === undefined) throw new Error(`Nobody has provided ${kind}`);
        return Reflect.get(provided[kind], name);
      },
      set: (_, name, value) => provided !== undefined && Reflect.set(provided[kind], name, value),
      deleteProperty: (_, name) => provided !== undefined && Reflect.deleteProperty(provided[kind], name),
      has: (_, name) => provided !== undefined && name in provided[kind],
      ownKeys: () => (provided === undefined ? [] : Reflect.ownKeys(provided[kind])),
      getOwnPropertyDescriptor: (_, name) =>
        provided === undefined
          ? undefined
          : { ...Object.getOwnPropertyDescriptor(provided[kind], name), configurable: true },
    },
  );
}

/** The bindings. */
export const env: Record<string, unknown> = lookUp('env');
/** The worker's handlers. */
export const exports: Record<string, unknown> = lookUp('exports');
