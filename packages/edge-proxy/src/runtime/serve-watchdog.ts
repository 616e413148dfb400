/** Notices a runtime that answers nothing any more: one peer that never stops sending can keep its only thread busy. */
import { setTimeout as delay } from 'node:timers/promises';

const ASK_EVERY_MS = 5_000;
/** So many in a row are a minute. */
const MAX_UNANSWERED = 6;

/** Resolves once a runtime has not answered for a minute. */
export async function untilUnresponsive(url: string, everyMs: number = ASK_EVERY_MS): Promise<void> {
  for (let unanswered = 0; unanswered < MAX_UNANSWERED; ) {
    await delay(everyMs, undefined, { ref: false });
    unanswered = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ASK_EVERY_MS) })
      .then((answer) => answer.text())
      .then(
        () => 0,
        () => unanswered + 1,
      );
  }
}
