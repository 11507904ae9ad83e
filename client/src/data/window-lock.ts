/** Locks by which windows of one browser know each other; the browser releases them with the window, however that ends. */

/** Tells other windows that this one still sees to what is kept under a key. @returns releases it */
export function holdLock(key: string): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(key, () => held).catch(() => undefined);
  return release;
}

/** Runs work unless a window holds the lock, or the browser has none, as on pages without TLS. */
export async function ifReleased(key: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks?.request(key, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
  });
}
