import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Unit tests before tests of whole objects, short files before long ones, and the simulation last: most mutants meet their test early. */
export class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification): number =>
      statSync(moduleId).size +
      (moduleId.includes('/src/') ? 0 : 1_000_000) * (moduleId.includes('/simulated.') ? 2 : 1);
    return [...files].sort((left, right) => cost(left) - cost(right));
  }
}
