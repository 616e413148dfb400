/** How the hotel's server reaches the simulator's controls. They belong to the demo alone: no real upstream has them. */

/** A way in which the simulator can behave. */
export interface Scenario {
  readonly name: string;
  /** What happens then, in one sentence. */
  readonly description: string;
  /** Operations that can be told to behave so. */
  readonly operations: readonly string[];
}

/** A scenario that waits for the next calls of an operation. */
export interface ArmedScenario {
  readonly operation: string;
  readonly scenario: string;
  /** Calls that are still to behave so. */
  readonly times: number;
}

/** An input that makes the simulator behave in one way. */
export interface MagicInput {
  readonly lever: 'card' | 'amount' | 'name';
  readonly input: string;
  readonly scenario: string;
  readonly effect: string;
}

/** The simulator's controls. */
export interface SandboxControlPort {
  scenarios(): Promise<{ readonly scenarios: readonly Scenario[]; readonly chosen: readonly ArmedScenario[] }>;
  /** Arms a scenario; 0 times disarms it. Rejects when the simulator does not know what is asked. */
  arm(choice: ArmedScenario): Promise<void>;
  magic(): Promise<readonly MagicInput[]>;
  /** Moves the simulator's clock forward and tells its local time; 0 only tells it. */
  advanceClock(seconds: number): Promise<string>;
}

type Fetch = (request: Request) => Promise<Response>;

/** Reaches the controls over HTTP, at the routes that the simulator serves below its address. */
export function httpSandboxControl(sandboxUrl: string, fetch: Fetch = globalThis.fetch): SandboxControlPort {
  const call = async (name: string, body?: object): Promise<unknown> => {
    const address = `${sandboxUrl.replace(/\/$/, '')}/__sandbox/${name}`;
    const answer = await fetch(
      body === undefined
        ? new Request(address)
        : new Request(address, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    );
    if (!answer.ok) throw new Error(`The simulator refused "${name}" with status ${answer.status}.`);
    return answer.json();
  };
  // The simulator is ours and pinned to the same commit, so its answers are what its own types say.
  return {
    scenarios: async () => (await call('scenarios')) as Awaited<ReturnType<SandboxControlPort['scenarios']>>,
    arm: async (choice) => void (await call('scenario', choice)),
    magic: async () => ((await call('magic')) as { rows: MagicInput[] }).rows,
    advanceClock: async (advanceSeconds) => ((await call('clock', { advanceSeconds })) as { now: string }).now,
  };
}
