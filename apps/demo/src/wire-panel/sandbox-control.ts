/** How the hotel's server reaches the sandbox's controls. They belong to the demo alone: no real upstream has them. */

/** A way in which the sandbox can behave. */
export interface Scenario {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly description: string;
  /** Operations that can play it. */
  readonly operations: readonly string[];
}

/** A scenario that the next calls of an operation play. */
export interface ChosenScenario {
  readonly operation: string;
  readonly scenario: string;
  /** How many calls are left. */
  readonly times: number;
}

/** An input that makes the sandbox behave in one way. */
export interface MagicInput {
  readonly lever: 'card' | 'amount' | 'name';
  readonly input: string;
  /** Name of the scenario. */
  readonly scenario: string;
}

/** The sandbox's controls. */
export interface SandboxControl {
  scenarios(): Promise<{ readonly scenarios: readonly Scenario[]; readonly chosen: readonly ChosenScenario[] }>;
  /** Arms a scenario; 0 times disarms it. Rejects when the sandbox does not know what is asked. */
  choose(choice: ChosenScenario): Promise<void>;
  magic(): Promise<readonly MagicInput[]>;
  /** Moves the sandbox's clock forward and tells its local time; 0 only tells it. */
  advanceClock(seconds: number): Promise<string>;
}

/** Reaches the controls over HTTP, at the routes that the sandbox serves below its address. */
export function sandboxControl(sandboxUrl: string): SandboxControl {
  const call = async (name: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${sandboxUrl}/__sandbox/${name}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The sandbox refused "${name}" with status ${answer.status}.`);
    return answer.json();
  };
  // The sandbox is ours and pinned to the same commit, so its answers are what its own types say.
  return {
    scenarios: async () => (await call('scenarios')) as Awaited<ReturnType<SandboxControl['scenarios']>>,
    choose: async (choice) => void (await call('scenario', choice)),
    magic: async () => ((await call('magic')) as { rows: MagicInput[] }).rows,
    advanceClock: async (advanceSeconds) => ((await call('clock', { advanceSeconds })) as { now: string }).now,
  };
}
