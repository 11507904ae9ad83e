/**
 * Stands in for `connection.ts` when the official package takes the shim's place: that package does
 * not say how its stream is doing, so the browser's own notion of being on line has to do.
 */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'offline';

/** State by the browser's own `navigator.onLine`. */
export function connectionState(_firestore: unknown): ConnectionState {
  return navigator.onLine ? 'online' : 'offline';
}

/** Calls back when the browser goes on or off line. */
export function onConnectionState(
  _firestore: unknown,
  callback: (state: ConnectionState) => void,
): () => void {
  const online = () => callback('online');
  const offline = () => callback('offline');
  addEventListener('online', online);
  addEventListener('offline', offline);
  return () => {
    removeEventListener('online', online);
    removeEventListener('offline', offline);
  };
}

/** The package's commits wait for nothing. */
export function holdCommits(_firestore: unknown, _ready: () => Promise<void>): void {}
