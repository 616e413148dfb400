import type { Operation } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** Which scenario control has chosen for the next calls of an operation. */
export interface ScenarioQueue {
  /** Chooses a scenario for the next `times` calls; 0 takes an earlier choice back. */
  choose(operation: Operation, scenario: Scenario, times: number): void;
  /** The scenario for this call, counted down, or undefined. */
  take(operation: Operation): Scenario | undefined;
  chosen(): { readonly operation: Operation; readonly scenario: string; readonly times: number }[];
  reset(): void;
}

/** An empty queue. */
export function createScenarioQueue(): ScenarioQueue {
  const choices = new Map<Operation, { scenario: Scenario; times: number }>();
  return {
    choose: (operation, scenario, times) => {
      if (times === 0) choices.delete(operation);
      else choices.set(operation, { scenario, times });
    },
    take: (operation) => {
      const choice = choices.get(operation);
      if (choice === undefined) return undefined;
      choice.times -= 1;
      if (choice.times === 0) choices.delete(operation);
      return choice.scenario;
    },
    chosen: () =>
      [...choices].map(([operation, { scenario, times }]) => ({ operation, scenario: scenario.name, times })),
    reset: () => choices.clear(),
  };
}
