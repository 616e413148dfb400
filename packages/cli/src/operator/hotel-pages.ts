import type { PropertyList } from '@innkeep/core/contract';
import type { ListProperties, PlatformClient } from '@innkeep/core/merchant';

/** Every page of a list of hotels. */
export async function* hotelPages(
  { properties }: PlatformClient,
  { signal, ...query }: ListProperties & { readonly signal: AbortSignal },
): AsyncGenerator<PropertyList> {
  let { cursor } = query;
  do {
    const page = await properties.list({ ...query, limit: 100, cursor }, { signal });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
