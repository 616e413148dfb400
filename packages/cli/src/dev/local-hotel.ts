/** Whose events and sessions a command means: those of the proxy that was named, else of the stack that runs here. */
import { createMerchantClient, type MerchantClient } from '@innkeep/core/merchant';
import { failure } from '../failures/cli-error.ts';
import type { CommandContext } from '../operator/command-context.ts';
import { type DevKeys, readJson } from './dev-folder.ts';
import { type FoundStack, findStack } from './running-stack.ts';

/** A stack that runs, and a client of its hotel. */
export interface LocalHotel extends FoundStack {
  readonly keys: DevKeys;
  readonly merchant: MerchantClient;
}

/** The hotel of the stack that runs in this folder or above it. @throws `not_running` */
export async function localHotel({ io }: CommandContext): Promise<LocalHotel> {
  const stack = await findStack(io.cwd);
  const keys = stack && (await readJson<DevKeys>(stack.paths.keys));
  if (stack === undefined || keys === undefined) {
    throw failure('not_running', 'No local stack runs in this folder.', 'Start it and leave it running: innkeep dev');
  }
  const { staffKey: secretKey } = keys;
  const merchant = createMerchantClient({ endpoint: stack.report.proxyUrl, secretKey, fetch: io.fetch });
  return { ...stack, keys, merchant };
}
