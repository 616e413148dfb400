/** Those who read the feeds of platforms, and what must hold of what they read. */
import { HOTELS, type HotelName, type Json, PLATFORMS, type PlatformName, type World } from './world.ts';

/** A server of an operator's: it remembers where it is, and goes on from there. */
export class FeedReader {
  readonly platform: PlatformName;
  /** All that it was ever shown. */
  readonly events: Json[] = [];
  readonly #world: World;
  #after = 0;

  constructor(world: World, platform: PlatformName) {
    this.#world = world;
    this.platform = platform;
  }

  /** Reads what is new. When there is no answer, the next reading tries again. */
  async read(): Promise<void> {
    const world = this.#world;
    for (;;) {
      const call = world.readFeed(this.platform, this.#after);
      await world.until([call]);
      const { status, body = {} } = call.answer ?? {};
      if (status !== 200) return;
      const events = body.data as Json[];
      for (const { property } of events) {
        if (world.readsEventsOf(this.platform, property as HotelName)) continue;
        world.breaks('hotels-apart', `${this.platform} was shown an event of ${String(property)}`);
      }
      this.events.push(...events);
      if (body.nextAfter === this.#after) return;
      this.#after = Number(body.nextAfter);
    }
  }
}

/** Whether the feed of the operator who looks after the directory has everything, as far as objects have stored it. */
export function checkFeedsInTime(world: World): void {
  for (const hotel of HOTELS.filter((each) => world.readsEventsOf('summit', each))) {
    const ledger = world.runtime.objectsOf('LEDGERS').find(({ name }) => name === hotel);
    const last = Number(ledger?.peek('SELECT max(position) AS last FROM event')?.last ?? 0);
    const source = peekFeed(world, 'summit', `SELECT seq AS found FROM source WHERE property = '${hotel}'`);
    const handed = Number(source ?? 0);
    if (handed !== last) world.breaks('platform-feed-in-time', `the feed has ${handed} of ${last} events of ${hotel}`);
  }
}

/** Holds what the feeds say against those of the hotels. */
export async function checkFeeds(
  world: World,
  { reader, events }: { readonly reader: FeedReader; readonly events: Readonly<Record<HotelName, readonly Json[]>> },
): Promise<void> {
  const say = (what: string): void => world.breaks('platform-feed-whole', what);
  for (const platform of PLATFORMS) {
    // What a key is for may have changed meanwhile: then what was read is no measure, but what can be read now is.
    const last = platform === reader.platform ? reader : new FeedReader(world, platform);
    await last.read();
    const positions = last.events.map(({ position }) => Number(position));
    const isInOrder = positions.every((position, nth) => position > (positions[nth - 1] ?? 0));
    const isGapFree = last !== reader || positions.every((position, nth) => position === nth + 1);
    if (!isInOrder || !isGapFree) say(`${platform} counts ${positions.join()}`);
    for (const hotel of HOTELS) {
      const told = last.events.filter(({ property }) => property === hotel).map(({ id }) => id);
      const due = world.readsEventsOf(platform, hotel) ? events[hotel].map(({ id }) => id) : [];
      if (told.join() !== due.join()) say(`${platform} was told ${told.length} of ${due.length} events of ${hotel}`);
    }
    for (const property of JSON.parse(String(peekFeed(world, platform, STORED) ?? '[]')) as HotelName[]) {
      if (world.everRead[platform].has(property)) continue;
      world.breaks('hotels-apart', `the feed of ${platform} has events of ${property}`);
    }
  }
}

const STORED = 'SELECT json_group_array(property) AS found FROM source';

/** The column `found` of a row that the feed of a platform has stored. */
function peekFeed(world: World, platform: PlatformName, query: string): unknown {
  return world.runtime
    .objectsOf('FEEDS')
    .find(({ name }) => name === platform)
    ?.peek(query)?.found;
}
