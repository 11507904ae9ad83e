/** A page that was open while its server was restored from a backup. */

import { expect, test } from 'vitest';
import { HistoryGuard } from './history.ts';

/** A guard, and the server it asks. */
function world() {
  const server = { history: 'first' as string | undefined, away: false, asked: 0 };
  const guard = new HistoryGuard('first', async () => {
    server.asked++;
    if (server.away) throw new Error('away');
    return server.history;
  });
  guard.connection('connecting');
  guard.connection('online');
  return { guard, server };
}
const codeOf = (wait: Promise<void>) =>
  wait.then(
    () => 'ready',
    ({ code }: { code?: string }) => code,
  );

test('nothing is asked while the connection lasts', async () => {
  const { guard, server } = world();
  await guard.ready();
  guard.connection('online');
  expect(server.asked).toBe(0);
});

test.each(['offline', 'connecting', 'idle'] as const)(
  'after it was %s, nothing is written before the history is known',
  async (state) => {
    const { guard, server } = world();
    guard.connection(state);
    await Promise.all([guard.ready(), guard.ready()]);
    expect(server.asked).toBe(1);
    guard.connection('online');
    await guard.ready();
    expect(server.asked).toBe(1);
  },
);

test('on top of another history nothing is written but what the user wants', async () => {
  const { guard, server } = world();
  let told = 0;
  guard.subscribe(() => told++);
  guard.connection('offline');
  server.history = 'second';
  expect(await codeOf(guard.ready())).toBe('unavailable');
  expect([guard.isOther(), told]).toEqual([true, 1]);
  guard.connection('online');
  expect(await codeOf(guard.ready())).toBe('unavailable');
  guard.accept();
  expect(await codeOf(guard.ready())).toBe('ready');
  expect(told).toBe(1);
});

test('a page that writes nothing learns it as soon as the server is back', async () => {
  const { guard, server } = world();
  guard.connection('offline');
  server.history = 'second';
  const told = new Promise<void>((resolve) => guard.subscribe(resolve));
  guard.connection('online');
  await told;
  expect(guard.isOther()).toBe(true);
});

test('without an answer nothing is written, and it is asked again', async () => {
  const { guard, server } = world();
  guard.connection('offline');
  server.away = true;
  expect(await codeOf(guard.ready())).toBe('unavailable');
  server.away = false;
  expect(await codeOf(guard.ready())).toBe('ready');
  expect([guard.isOther(), server.asked]).toEqual([false, 2]);
});

test('a server that tells no history is no other', async () => {
  const { guard, server } = world();
  guard.connection('offline');
  server.history = undefined;
  expect(await codeOf(guard.ready())).toBe('ready');
});
