/** Stands for `cloudflare:test`: reaching into the objects behind the bindings. */
import { env } from './cloudflare-workers.ts';
import { type Instance, type ObjectId, type ObjectRuntime, objectOf, resetError } from './objects.ts';

let runtime: ObjectRuntime | undefined;

/** Says whose objects {@link listDurableObjectIds} and {@link reset} speak of. */
export function provideRuntime(next: ObjectRuntime): void {
  runtime = next;
}

/** Runs a function inside an object, between its own calls. What it returns is not cloned. */
export async function runInDurableObject<Result>(
  stub: object,
  run: (object: Instance['object'], ctx: Instance['ctx']) => Result | Promise<Result>,
): Promise<Result> {
  const { instance } = objectOf(stub);
  return instance.enter(async () => run(instance.object, instance.ctx));
}

/** Runs an object's alarm now; false when it has none. */
export function runDurableObjectAlarm(stub: object): Promise<boolean> {
  return objectOf(stub).runAlarm();
}

/** Ends an object's instance; the next call makes another over the same storage. */
export async function evictDurableObject(stub: object): Promise<void> {
  objectOf(stub).end(resetError());
}

/** The ids of a binding's objects. */
export async function listDurableObjectIds(namespace: unknown): Promise<ObjectId[]> {
  const binding = Object.keys(env).find((name) => env[name] === namespace) ?? '';
  return (runtime?.objectsOf(binding) ?? []).map((object) => object.instance.ctx.id);
}

/** Forgets every object and what it stores. */
export async function reset(): Promise<void> {
  runtime?.close();
}

export { env };
