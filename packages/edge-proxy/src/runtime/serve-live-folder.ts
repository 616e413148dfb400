/** Whether hotels of a folder may be live, in a file beside its data: those that a live platform has added are, whatever is configured today. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'served-live';

/** Writes down that a live platform is served here. Call it with the lock. */
export function keepServedLive(dataDir: string): void {
  if (wasServedLive(dataDir)) return;
  writeFileSync(join(dataDir, FILE), 'A live platform was served here. Delete this once no hotel is live.\n', {
    mode: 0o600,
  });
}

/** Whether a live platform was ever served here. */
export function wasServedLive(dataDir: string): boolean {
  return existsSync(join(dataDir, FILE));
}

/** What an operator is told who has no live hotel configured. */
export function describeServedLive(dataDir: string): string {
  return `--data: a live platform was served here, so only public addresses are reached. Once no hotel is live, delete ${join(dataDir, FILE)}`;
}
