type Calls = typeof import('./calls.ts');

let loaded: Calls | undefined;

/** The calls to the payment service. A start that only reads what is stored does not load them. */
export async function loadCalls(): Promise<Calls> {
  loaded ??= await import('./calls.ts');
  return loaded;
}
