/** How a property is doing, as merchants see it. Pure. */
import type { PropertyStatus, WebhookEndpoint } from '@innkeep/core/contract';
import { toTimestamp } from '../http/timestamp.ts';

/** What was counted in its ledger. */
export interface LedgerCounts extends Readonly<Pick<PropertyStatus, 'checkoutSessions' | 'charges' | 'reversals'>> {
  /** When the oldest event happened that waits for an endpoint. */
  readonly oldestWaitingAt: number | null;
}

const NOTHING = { stored: 0, unknown: 0, waiting: 0 };

/** What a property without a ledger has. */
export const NO_COUNTS: LedgerCounts = {
  checkoutSessions: NOTHING,
  charges: NOTHING,
  reversals: NOTHING,
  oldestWaitingAt: null,
};

export function toPropertyStatus(
  property: string,
  {
    ledger,
    counts: { oldestWaitingAt, ...counts },
    endpoints,
  }: {
    readonly ledger: PropertyStatus['ledger'];
    readonly counts: LedgerCounts;
    readonly endpoints: readonly WebhookEndpoint[];
  },
): Omit<PropertyStatus, 'server' | 'upstream'> {
  const having = (status: WebhookEndpoint['status']): number =>
    endpoints.filter((endpoint) => endpoint.status === status).length;
  return {
    object: 'property_status',
    property,
    ledger,
    ...counts,
    webhooks: {
      waiting: endpoints.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestWaitingAt: oldestWaitingAt === null ? null : toTimestamp(oldestWaitingAt),
      paused: having('paused'),
      disabled: having('disabled'),
    },
  };
}
