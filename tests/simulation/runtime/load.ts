/**
 * Loads the worker for a simulation in plain Node: `cloudflare:workers` becomes ours, and what a module of the proxy
 * keeps in memory can be forgotten, as when its isolate ends. A mutant changes one place of one file on the way.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findMutant, type Mutant } from '../mutants.ts';

const forgetters = new Set<() => void>();

/** The name under which the loaded modules find {@link forgetters}. */
export const REGISTRY = 'innkeepModuleMemory';

/** Empties what the proxy's modules keep in memory between requests. */
export function forgetModuleMemory(): void {
  for (const forget of forgetters) forget();
}

/** Puts the hooks in place; call it before the worker is imported. Throws for a mutant that there is not. */
export function hookLoading(mutantName?: string): void {
  const mutant = mutantName === undefined ? undefined : findMutant(mutantName);
  Object.assign(globalThis, { [REGISTRY]: (forget: () => void) => forgetters.add(forget) });
  const ours: Readonly<Record<string, string>> = {
    'cloudflare:workers': new URL('cloudflare-workers.ts', import.meta.url).href,
    'cloudflare:test': new URL('cloudflare-test.ts', import.meta.url).href,
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = ours[specifier];
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || url.includes('node_modules')) return loaded;
      const path = fileURLToPath(url);
      if (!/\/packages\/(edge-proxy\/src|core\/dist)\//.test(path)) return loaded;
      const source = String(loaded.source);
      return { ...loaded, source: withForgetters(mutant === undefined ? source : mutate(path, source, mutant)) };
    },
  });
}

/** Registers every map and set that lives as long as the module. */
export function withForgetters(source: string): string {
  const names = [...source.matchAll(/^const (\w+)\b[^=\n]* = new (?:Map|Set)\b[^;]*\(\);$/gm)].map(([, name]) => name);
  return names.reduce<string>((text, name) => `${text}\nglobalThis.${REGISTRY}?.(() => ${name}.clear());`, source);
}

function mutate(path: string, source: string, mutant: Mutant): string {
  let text = source;
  for (const { file, from, to } of mutant.edits) {
    if (!path.endsWith(file)) continue;
    if (text.split(from).length !== 2) {
      throw new Error(
        `The mutant ${mutant.name} does not fit ${file}: its text is there ${text.split(from).length - 1} times`,
      );
    }
    text = text.replace(from, () => to);
  }
  return text;
}
