/** Work on many things, a bounded number at a time. */

/** Runs `work(item, index)` for each item in order, at most `limit` at a time; the first error ends the wait. */
export async function eachAtOnce(items, limit, work) {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
