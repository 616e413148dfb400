import type { Operation } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** Which scenario control has chosen for the next calls of an operation. */
export class ScenarioQueue {
  readonly #choices = new Map<Operation, { scenario: Scenario; times: number }>();

  /** Chooses a scenario for the next `times` calls; 0 cancels an earlier choice. */
  choose(operation: Operation, scenario: Scenario, times: number): void {
    if (times === 0) this.#choices.delete(operation);
    else this.#choices.set(operation, { scenario, times });
  }

  /** The scenario for this call, counted down, or undefined. */
  take(operation: Operation): Scenario | undefined {
    const choice = this.#choices.get(operation);
    if (choice !== undefined) this.choose(operation, choice.scenario, choice.times - 1);
    return choice?.scenario;
  }

  chosen(): { readonly operation: Operation; readonly scenario: string; readonly times: number }[] {
    return [...this.#choices].map(([operation, { scenario, times }]) => ({
      operation,
      scenario: scenario.name,
      times,
    }));
  }

  reset(): void {
    this.#choices.clear();
  }
}
