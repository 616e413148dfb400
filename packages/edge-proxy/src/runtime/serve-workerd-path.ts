import { createRequire } from 'node:module';

/** Path of the native runtime. The package's own wrapper script would be one more process to lose. */
export function workerdPath(): string {
  return (createRequire(import.meta.url)('workerd') as { readonly default: string }).default;
}
