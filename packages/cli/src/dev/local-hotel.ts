/** Whose events and sessions a command means: those of the named proxy, else of the stack that runs here. */
import { resolve } from 'node:path';
import { createMerchantClient, type MerchantClient } from '@innkeep/core/merchant';
import type { CommandContext } from '../context/command-context.ts';
import { type CliError, failure } from '../failures/cli-error.ts';
import { shellWords } from '../terminal/shell-words.ts';
import { type DevKeys, readJson } from './dev-folder.ts';
import { type FoundStack, findStack } from './running-stack.ts';

/** A stack that runs, and a client of its hotel. */
export interface LocalHotel extends FoundStack {
  readonly keys: DevKeys;
  readonly merchant: MerchantClient;
}

/** The hotel of the stack that runs in this folder or above it, or whose data is in `dataFolder`. @throws `not_running` */
export async function localHotel({ io }: CommandContext, dataFolder?: string): Promise<LocalHotel> {
  const stack = await findStack(io.cwd, dataFolder === undefined ? undefined : resolve(io.cwd, dataFolder));
  const keys = stack && (await readJson<DevKeys>(stack.paths.keys));
  if (stack === undefined || keys === undefined) throw notRunning(dataFolder);
  const { staffKey: secretKey } = keys;
  const merchant = createMerchantClient({ endpoint: stack.report.proxyUrl, secretKey, fetch: io.fetch });
  return { ...stack, keys, merchant };
}

function notRunning(dataFolder: string | undefined): CliError {
  if (dataFolder !== undefined) {
    const start = `innkeep dev ${shellWords(['--data', dataFolder])}`;
    return failure('not_running', `No local stack keeps its data in ${dataFolder}.`, `Start it: ${start}`);
  }
  return failure(
    'not_running',
    'No local stack runs in this folder.',
    'Start it and leave it running: innkeep dev',
    'If it was started with --data, add the same --data.',
    'If its .innkeep belongs to another user, name that folder with --data.',
  );
}
