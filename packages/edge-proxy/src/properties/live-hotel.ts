/** What a platform without livemode leaves alone: a hotel that is live, that has real payments, or that may have. */
import { ProblemError } from '../http/problem.ts';
import type { InvalidProperty, Property } from './configured-properties.ts';
import type { PropertyEdit } from './property-configuration.ts';
import type { PropertyDirectory } from './property-directory.ts';

const IS_LIVE = 'This property is live or may be, and the platform of this key has no livemode';
const HAS_LIVE = 'This property has real payments, and the platform of this key has no livemode';
const NOT_TOLD = 'Nothing was done: the proxy cannot tell right now whether this property was live. Try again';

/** Who knows of hotels. */
export interface LiveHotelSources {
  /** The hotels of the directory, for their operators. */
  readonly directory: PropertyDirectory;
  /** Whether a hotel's ledger has payments of real money. */
  readonly hasLivePayments: (property: string) => Promise<boolean>;
}

export interface HotelToChange extends Pick<PropertyEdit, 'action'> {
  readonly id: string;
  /** Its configuration, where that is a secret of the deployment. */
  readonly secret: Property | InvalidProperty | undefined;
}

/** Refuses to change a hotel that is live, or was when its payments were made. */
export async function refuseLiveHotel({ id, action, secret }: HotelToChange, sources: LiveHotelSources): Promise<void> {
  const isLive = secret?.invalid || secret?.livemode;
  if (isLive) throw new ProblemError('forbidden', { detail: IS_LIVE });
  if (secret !== undefined) return;
  const [entry] = await orRefuse(
    sources.directory.list({ patterns: [id], search: null, isRemoved: null, after: '', limit: 1 }),
  );
  // Asking makes a ledger where there is none: not for a hotel that nobody adds.
  if (entry !== undefined || action === 'replaced') await refuseRealPayments(id, sources);
}

/** Refuses a hotel whose ledger has payments of real money, whatever it is now. */
export async function refuseRealPayments(
  id: string,
  { hasLivePayments }: Pick<LiveHotelSources, 'hasLivePayments'>,
  param?: string,
): Promise<void> {
  if (await orRefuse(hasLivePayments(id))) throw new ProblemError('forbidden', { detail: HAS_LIVE, param });
}

function orRefuse<T>(told: Promise<T>): Promise<T> {
  return told.catch((error) => {
    throw error instanceof ProblemError ? error : new ProblemError('property_unavailable', { detail: NOT_TOLD });
  });
}
