import { setPriority } from 'node:os';

/** Before the suites of this folder: they mostly wait, and leave the processor to the proxy's own tests, the one long suite of the gate. */
export function setup(): void {
  setPriority(5);
}
