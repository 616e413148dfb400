/** What a platform without livemode leaves alone: a hotel that is live, that was when its payments were made, or that may be. */
import { ProblemError } from '../http/problem.ts';
import type { InvalidProperty, Property } from './configured-properties.ts';
import type { PropertyEdit } from './property-configuration.ts';
import type { PropertyDirectory } from './property-directory.ts';

const IS_LIVE = 'This property is live, or nobody can say so, and the platform of this key has no livemode';
const WAS_LIVE =
  'This property was live and has payments, and the platform of this key has no livemode: bring it back with a key of one that has';
/** Of a hotel that is in test mode now. */
export const HAS_LIVE = 'This property has real payments, and the platform of this key has no livemode';
const NOT_TOLD = 'Nothing was done: nobody can tell right now whether this property was live. Try again';

/** Who knows of hotels. */
export interface LiveHotelSources {
  /** The hotels of the directory, for their operators. */
  readonly directory: PropertyDirectory;
  /** Whether a hotel's ledger has payments of real money. */
  readonly hasLivePayments: (property: string) => Promise<boolean>;
}

/** A hotel that is to be changed. */
export interface HotelToChange extends Pick<PropertyEdit, 'action'> {
  readonly id: string;
  /** Its configuration, where that is a secret of the deployment. */
  readonly secret: Property | InvalidProperty | undefined;
}

/** Refuses to change a live hotel, and to bring back one that was. */
export async function refuseLiveHotel({ id, action, secret }: HotelToChange, sources: LiveHotelSources): Promise<void> {
  const isLive = secret?.invalid || secret?.livemode;
  if (isLive) throw new ProblemError('forbidden', { detail: IS_LIVE });
  if (secret !== undefined) return;
  if (await orRefuse(comesBackLive(id, action, sources))) throw new ProblemError('forbidden', { detail: WAS_LIVE });
}

/** Whether a hotel's ledger has payments of real money. */
export function hasLivePayments(id: string, sources: Pick<LiveHotelSources, 'hasLivePayments'>): Promise<boolean> {
  return orRefuse(sources.hasLivePayments(id));
}

function orRefuse(told: Promise<boolean>): Promise<boolean> {
  return told.catch((error) => {
    throw error instanceof ProblemError ? error : new ProblemError('property_unavailable', { detail: NOT_TOLD });
  });
}

/** Of a hotel that was a secret once the directory knows nothing, or what it was before; its ledger does. */
async function comesBackLive(
  id: string,
  action: PropertyEdit['action'],
  { directory, hasLivePayments }: LiveHotelSources,
): Promise<boolean> {
  const [entry] = await directory.list({ patterns: [id], search: null, isRemoved: null, after: '', limit: 1 });
  // Asking makes a ledger where there is none: not for a hotel that nobody adds.
  const comesBack = entry === undefined ? action === 'replaced' : entry.isRemoved;
  return comesBack && hasLivePayments(id);
}
