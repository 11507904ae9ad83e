import { onConnectionState } from '@sdk/connection';
import { getDb } from '../../server/database.ts';

/** Resolves after `ms` milliseconds, or as soon as the browser or the live stream is online again. */
export function waitForChance(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = onConnectionState(getDb(), (state) => {
      if (state === 'online') done();
    });
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      stop();
      resolve();
    }
  });
}
