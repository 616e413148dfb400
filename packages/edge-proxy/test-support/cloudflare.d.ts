/** Tells the runtime's types which worker and which bindings the tests run with. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../src/worker.ts');
  }
  interface Env extends import('../src/stores/bindings.ts').Bindings {}
}
