/** Tells the runtime's types which worker and which bindings the tests run with. */
import type { Bindings } from '../src/runtime/bindings.ts';

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('../src/worker.ts');
    }
    interface Env extends Bindings {}
  }
}
