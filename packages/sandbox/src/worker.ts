/**
 * The sandbox as a Worker. A Worker's own memory belongs to one of many isolates, so with a binding `SANDBOX` to the
 * class below everything happens in one Durable Object; without it, in the isolate, which is enough on one machine.
 * The object's own memory does not last either, some ten seconds without a request, so it keeps its state in storage.
 */
import { AnswerLostError } from './server/deliver.ts';
import { createSandbox, type Sandbox } from './server/sandbox.ts';
import type { SandboxOptions } from './world/settings.ts';
import type { SandboxState } from './world/world.ts';

/** Bindings of the Worker; all are optional. */
export interface SandboxEnvironment {
  /** Binding of {@link SandboxObject}, so that all isolates share one memory. */
  readonly SANDBOX?: { getByName(name: string): { fetch(request: Request): Promise<Response> } };
  /** Which dialect to speak: `strict` or `lenient`. @default 'strict' */
  readonly SANDBOX_PROFILE?: SandboxOptions['profile'];
  /** User that may log in. @default 'demo' */
  readonly SANDBOX_USERNAME?: string;
  /** Password of that user. @default 'demo-password' */
  readonly SANDBOX_PASSWORD?: string;
  /** Key of the gateway, 40 characters. @default '0123456789012345678901234567890123456789' */
  readonly SANDBOX_API_KEY?: string;
}

/** The part of a Durable Object's state that the sandbox needs. */
export interface SandboxObjectState {
  /** Where the state is kept. */
  readonly storage: {
    get(key: string): Promise<unknown>;
    put(key: string, value: unknown): Promise<void>;
  };
  /** Holds requests back until `prepare` is done. */
  blockConcurrencyWhile(prepare: () => Promise<void>): unknown;
}

const STATE_KEY = 'sandbox';
// The state is one value, and a value of a Durable Object has room for 2 MB. A hosted request takes about 2 kB.
const LIMITS = { hosted: 200, charges: 300, reversals: 300, tokens: 200, bearers: 50 } as const;

/** Holds the one sandbox of a deployment. */
export class SandboxObject {
  readonly #sandbox: Sandbox;
  readonly #storage: SandboxObjectState['storage'];

  constructor(state: SandboxObjectState, environment: SandboxEnvironment) {
    this.#sandbox = createSandbox({ ...toOptions(environment), limits: LIMITS });
    this.#storage = state.storage;
    state.blockConcurrencyWhile(async () => {
      const kept = await state.storage.get(STATE_KEY);
      // Only fetch() writes it.
      if (kept !== undefined) this.#sandbox.restore(kept as SandboxState);
    });
  }

  /** Answers a request of any isolate. */
  async fetch(request: Request): Promise<Response> {
    try {
      return await answer(this.#sandbox, request);
    } finally {
      await this.#keep();
    }
  }

  /** A sandbox that cannot keep its state still answers: it then has the memory of its object. */
  async #keep(): Promise<void> {
    try {
      await this.#storage.put(STATE_KEY, this.#sandbox.save());
    } catch (error) {
      console.error(`sandbox: the state was not kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

let ownSandbox: Sandbox | undefined;

/** The Worker: sends every request to the one sandbox. */
export default {
  fetch(request: Request, environment: SandboxEnvironment): Promise<Response> {
    if (environment.SANDBOX !== undefined) return environment.SANDBOX.getByName('sandbox').fetch(request);
    ownSandbox ??= createSandbox(toOptions(environment));
    return answer(ownSandbox, request);
  },
};

async function answer(sandbox: Sandbox, request: Request): Promise<Response> {
  // The host routes by name, so no other site can have pointed that name here.
  const headers = new Headers(request.headers);
  headers.delete('host');
  try {
    return await sandbox.fetch(new Request(request, { headers }));
  } catch (error) {
    if (!(error instanceof AnswerLostError)) throw error;
    // A Worker cannot reset a connection. The nearest thing is an answer that breaks off: reading it fails.
    const broken = new ReadableStream({ start: (controller) => controller.error(error) });
    return new Response(broken, { headers: { 'Content-Type': 'application/json' } });
  }
}

function toOptions(environment: SandboxEnvironment): SandboxOptions {
  const { SANDBOX_PROFILE, SANDBOX_USERNAME, SANDBOX_PASSWORD, SANDBOX_API_KEY } = environment;
  return {
    ...(SANDBOX_PROFILE === undefined ? {} : { profile: SANDBOX_PROFILE }),
    ...(SANDBOX_USERNAME === undefined ? {} : { username: SANDBOX_USERNAME }),
    ...(SANDBOX_PASSWORD === undefined ? {} : { password: SANDBOX_PASSWORD }),
    ...(SANDBOX_API_KEY === undefined ? {} : { apiKey: SANDBOX_API_KEY }),
  };
}
