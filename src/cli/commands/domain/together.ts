/**
 * Runs something for each item at once. The first to fail stops the others, and none is left running when this ends.
 *
 * @param signal Stops all of them.
 * @throws what failed first.
 */
export async function together<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stopping = new AbortController();
  const joined = AbortSignal.any([signal, stopping.signal]);
  const running = items.map(async (item) => {
    try {
      return await run(item, joined);
    } catch (error) {
      // Only the first abort counts, so its reason is what failed first.
      stopping.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  if (stopping.signal.aborted) throw stopping.signal.reason;
  return Promise.all(running);
}
