/** Does something with each item, at most `limit` at a time. Starts nothing new after a failure. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const item of left) {
      if (hasFailed) return;
      try {
        await act(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
}
