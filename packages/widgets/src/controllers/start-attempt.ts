/** The one call that begins an attempt, or opens the hosted page of one that has begun. */
import type { Checkout, CheckoutView } from '@innkeep/core/checkout';
import { toFault } from './faults.ts';
import { checkViewUrl, type Presentation } from './hosted-page.ts';

/** Starts what the guest has seen; what the session is instead, when it is paid, over or at another price: then without `viewUrl`. */
export async function startAttempt(
  client: Checkout,
  seen: CheckoutView | null,
  { presentation, signal }: { presentation: Exclude<Presentation, 'auto'>; signal: AbortSignal },
): Promise<CheckoutView & { viewUrl?: string }> {
  try {
    // A page that asks for the secret in the click has shown the price by itself.
    const { terms } = seen ?? (await client.read({ signal }));
    const started = await client.start({ presentation, terms, signal });
    checkViewUrl(started.viewUrl);
    return started;
  } catch (error) {
    if (!['session_not_open', 'terms_changed'].includes(toFault(error).code ?? '')) throw error;
    return client.read({ signal });
  }
}
