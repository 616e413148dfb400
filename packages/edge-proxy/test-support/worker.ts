/** The worker of the tests: that of production, whose objects end with the test file that made them. */
import { DurableObject, env } from 'cloudflare:workers';
import * as worker from '../src/worker.ts';
import { sharedRuntime } from './shared-runtime.ts';

const { files, fileOf } = sharedRuntime(env);

/**
 * What stands for an object of an earlier file. Alarms are the runtime's own and outlive their file: without this, one would ring in
 * the middle of a later file, and what it does would reach that file's account, payment service and clock.
 */
class EndedObject extends DurableObject {
  override async alarm(): Promise<void> {}
}

function endingWithItsFile<Class extends new (ctx: DurableObjectState, env: never) => object>(
  objectClass: Class,
): Class {
  return new Proxy(objectClass, {
    construct(target, [ctx, bindings]: [DurableObjectState, never], newTarget): object {
      const id = ctx.id.toString();
      if (!fileOf.has(id)) fileOf.set(id, files);
      return fileOf.get(id) === files
        ? Reflect.construct(target, [ctx, bindings], newTarget)
        : new EndedObject(ctx, bindings);
    },
  });
}

export const AccessTokenObject: typeof worker.AccessTokenObject = endingWithItsFile(worker.AccessTokenObject);
export const CheckoutSessionObject: typeof worker.CheckoutSessionObject = endingWithItsFile(
  worker.CheckoutSessionObject,
);
export const IdKeyObject: typeof worker.IdKeyObject = endingWithItsFile(worker.IdKeyObject);
export const LedgerObject: typeof worker.LedgerObject = endingWithItsFile(worker.LedgerObject);
export const MoneyOperationObject: typeof worker.MoneyOperationObject = endingWithItsFile(worker.MoneyOperationObject);
export const PlatformFeedObject: typeof worker.PlatformFeedObject = endingWithItsFile(worker.PlatformFeedObject);
export const PropertyDirectoryObject: typeof worker.PropertyDirectoryObject = endingWithItsFile(
  worker.PropertyDirectoryObject,
);
export const PropertyObject: typeof worker.PropertyObject = endingWithItsFile(worker.PropertyObject);
export default worker.default;
