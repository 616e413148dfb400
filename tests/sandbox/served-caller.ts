import { createSandbox, type SandboxOptions, serveSandbox } from '@innkeep/sandbox';
import { onTestFinished } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';

/** A caller that is logged in to a sandbox of its own, over real HTTP. Stops with the test. */
export async function servedCaller(options: SandboxOptions = {}): Promise<Caller> {
  const sandbox = createSandbox({ slowAnswerMs: 20, ...options });
  const served = await serveSandbox({ port: 0, sandbox });
  onTestFinished(() => served.close());
  const caller = new Caller({ sandbox, origin: served.url });
  await caller.login(options);
  return caller;
}
