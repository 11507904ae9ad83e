/** Most images remembered as used last. */
const MAX_RECENT = 12;
const KEY = 'tuckbox-recent-images';

/** References of the images picked last in this browser, newest first. */
export function recentImages(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

const observers = new Set<() => void>();

/** Calls back whenever an image is picked. */
export function onPicked(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

/** Remembers that an image was picked. @param key `shelf:id` */
export function rememberImage(key: string): void {
  try {
    const list = [key, ...recentImages().filter((one) => one !== key)].slice(0, MAX_RECENT);
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // A browser that keeps nothing has no recent images.
  }
  for (const observer of observers) observer();
}
