import { createApp } from './app.ts';
import { createControl, type SandboxControl } from './control/control.ts';
import { type SandboxOptions, toSettings } from './settings.ts';
import { createWorld } from './world.ts';

/** A simulated upstream service. */
export interface Sandbox {
  /**
   * Answers a request without a network; takes what `fetch` takes. Rejects when the scenario wants the answer lost.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The same functions as the routes under `/__sandbox/`. */
  readonly control: SandboxControl;
}

/**
 * Makes a sandbox that lives in memory.
 *
 * @throws SandboxConfigurationError naming the option that is wrong.
 * @example
 * ```ts
 * import { createSandbox } from '@innkeep/sandbox';
 *
 * const sandbox = createSandbox();
 * const response = await sandbox.fetch('https://sandbox.test/login', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: JSON.stringify({ username: 'demo', password: 'demo-password' }),
 * });
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = toSettings(options);
  const world = createWorld(settings);
  const control = createControl(world);
  const prefix = settings.baseUrl === undefined ? '' : new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  const app = createApp(world, { control, prefix });
  return { control, fetch: async (input, init) => app.fetch(new Request(input, init)) };
}
