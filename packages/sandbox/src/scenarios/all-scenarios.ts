import { ANSWERS } from './answers.ts';
import { BY_CONTROL } from './by-control.ts';
import { CONTRADICTIONS } from './contradictions.ts';
import { OUTCOMES } from './outcomes.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario, in the order in which people read about them. */
export const ALL_SCENARIOS: readonly Scenario[] = [...OUTCOMES, ...ANSWERS, ...CONTRADICTIONS, ...BY_CONTROL];

const BY_NAME = new Map(ALL_SCENARIOS.map((scenario) => [scenario.name, scenario]));

export function scenarioNamed(name: string): Scenario | undefined {
  return BY_NAME.get(name);
}
