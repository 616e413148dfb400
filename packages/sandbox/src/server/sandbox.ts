import { createControl, type SandboxControl } from '../control/control.ts';
import { type SandboxOptions, toSettings } from '../world/settings.ts';
import { createWorld, type SandboxState } from '../world/world.ts';
import { createApp } from './app.ts';

/** A simulated upstream service. */
export interface Sandbox {
  /**
   * Answers a request without a network; takes what `fetch` takes. Rejects when the scenario wants the answer lost,
   * and with the signal's reason when it is aborted: what was sent before is then carried out all the same.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The same functions as the routes under `/__sandbox/`. */
  readonly control: SandboxControl;
  /** A copy of everything it knows except the wire log, to be stored where memory does not last. */
  readonly save: () => SandboxState;
  /** Continues from a saved state. False, and nothing changed, if another version saved it. */
  readonly restore: (state: SandboxState) => boolean;
}

/**
 * Makes a sandbox that lives in memory.
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
  return {
    control,
    save: world.save,
    restore: world.restore,
    fetch: async (input, init) => {
      // A server's own kind of Request is passed on as it is; only the platform's can be made from it.
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      request.signal.throwIfAborted();
      return unlessAborted(request.signal, Promise.resolve(app.fetch(request)));
    },
  };
}

async function unlessAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
