/** Delay in milliseconds after failure number `failures`, from 1: twice as long each time, up to 15 s, and up to a quarter less by chance. */
export function backoffMs(failures: number): number {
  return Math.min(15_000, 1000 * 2 ** (failures - 1)) * (1 - Math.random() / 4);
}
