/** How the hotel's server reaches the sandbox's controls. They belong to the demo alone: no real upstream has them. */

import type { ScenarioList } from '@innkeep/sandbox';

export interface SandboxControl {
  scenarios(): Promise<ScenarioList>;
  /** Arms a scenario; 0 times disarms it. Rejects when the sandbox does not know what is asked. */
  choose(choice: { readonly operation: string; readonly scenario: string; readonly times: number }): Promise<void>;
  advanceClock(seconds: number): Promise<void>;
}

/** Reaches the controls over HTTP, at the routes that the sandbox serves below its address. */
export function sandboxControl(sandboxUrl: string): SandboxControl {
  const call = async (name: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${sandboxUrl}/__sandbox/${name}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The sandbox refused “${name}” with status ${answer.status}.`);
    return answer.json();
  };
  return {
    // The sandbox is ours and pinned to the same commit, so its answer is what its own type says.
    scenarios: async () => (await call('scenarios')) as ScenarioList,
    choose: async (choice) => void (await call('scenario', choice)),
    advanceClock: async (advanceSeconds) => void (await call('clock', { advanceSeconds })),
  };
}
