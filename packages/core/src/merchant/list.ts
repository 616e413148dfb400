/** Lists that are one page when they are awaited, and every item when they are iterated. */
import type { Page } from '../contract/list.ts';

/**
 * Await it for one page, or go through every item from there on, page after page:
 * `for await (const session of merchant.checkoutSessions.list()) …`.
 */
export interface List<Item, OnePage = Page<Item>> extends Promise<OnePage>, AsyncIterable<Item> {}

/** Requests the first page at once; an iteration begins with it. `nextOf` says where the page after one begins, if there is one. */
export function listFrom<Item, Cursor, OnePage extends { readonly data: readonly Item[] }>(
  begin: Cursor,
  read: (cursor: Cursor) => Promise<OnePage>,
  nextOf: (page: OnePage, cursor: Cursor) => Cursor | null,
): List<Item, OnePage> {
  const first = read(begin);
  async function* everyItem(): AsyncGenerator<Item, void, void> {
    let page = await first;
    for (let cursor: Cursor | null = begin; ; page = await read(cursor)) {
      yield* page.data;
      cursor = nextOf(page, cursor);
      if (cursor === null) return;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: everyItem });
}

/** A list whose pages say by `nextCursor` where the next one begins. */
export function listPages<Item, Query extends { cursor?: string | undefined }, OnePage extends Page<Item>>(
  query: Query | undefined,
  read: (query: Query | undefined) => Promise<OnePage>,
): List<Item, OnePage> {
  return listFrom<Item, string | undefined, OnePage>(
    query?.cursor,
    (cursor) => read(cursor === undefined ? query : ({ ...query, cursor } as Query)),
    ({ nextCursor }) => nextCursor,
  );
}

/** A list that has one page. */
export function wholeList<OnePage extends { readonly data: readonly unknown[] }>(
  read: () => Promise<OnePage>,
): List<OnePage['data'][number], OnePage> {
  return listFrom(null, read, () => null);
}
