/** A sandbox whose state outlives the process: it is saved after each request that may have changed it. */
import { readFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { Sandbox, SandboxOptions, SandboxState } from '@innkeep/sandbox';
import { writePrivateFile } from '../property/env-file.ts';
import type { Closer } from './cleanup.ts';

/** The sandbox, as it is served. */
export interface SavedSandbox extends Closer {
  readonly sandbox: Sandbox;
}

interface Saved {
  readonly seed: string;
  readonly state: SandboxState;
}

const SAVE_DELAY_MS = 200;

/** Makes the sandbox as it was when it was last saved. */
export async function restoreSandbox(
  createSandbox: (options: SandboxOptions) => Sandbox,
  options: SandboxOptions & { readonly seed: string },
  { file, onError }: { readonly file: string; readonly onError: (error: unknown) => void },
): Promise<SavedSandbox> {
  const saved = await readSaved(file);
  let seed = saved?.seed ?? options.seed;
  let sandbox = createSandbox({ ...options, seed });
  if (saved !== undefined && !sandbox.restore(saved.state)) {
    // Saved by another version. With the old seed, new ids would repeat those of what is gone.
    seed = options.seed;
    sandbox = createSandbox({ ...options, seed });
  }

  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Each save is separate: a failed one is reported, and the next one is still tried.
    saving = saving.then(() => writePrivateFile(file, serialize({ seed, state: sandbox.save() }))).catch(onError);
    return saving;
  };
  return {
    sandbox: {
      ...sandbox,
      fetch: async (input, init) => {
        try {
          return await sandbox.fetch(input, init);
        } finally {
          timer ??= setTimeout(save, SAVE_DELAY_MS);
        }
      },
    },
    close: save,
  };
}

async function readSaved(file: string): Promise<Saved | undefined> {
  try {
    // Written by `save` above. The sandbox refuses the state of another version.
    const saved = deserialize(await readFile(file)) as Saved;
    return typeof saved?.seed === 'string' && typeof saved.state === 'object' ? saved : undefined;
  } catch {
    return undefined;
  }
}
