import { expect, test } from 'vitest';
import { lastingFetch } from './platform.ts';

/** A network that answers when it is told to, and what it was asked. */
function heldNetwork() {
  const asked: { keepalive: boolean; answer(): void; fail(): void }[] = [];
  const events = new EventTarget();
  const fetch = lastingFetch(
    (_url, init) =>
      new Promise((resolve, reject) =>
        asked.push({
          keepalive: init.keepalive === true,
          answer: () => resolve(new Response()),
          fail: () => reject(new TypeError('Failed to fetch')),
        }),
      ),
    events,
  );
  return { asked, events, fetch };
}

const lasting = (length: number): RequestInit => ({ body: 'x'.repeat(length), keepalive: true });

test('a request outlives its page if it asks for it, or is made while the page is left', () => {
  const { asked, events, fetch } = heldNetwork();
  void fetch('/', { body: '{}' });
  void fetch('/', lasting(10));
  events.dispatchEvent(new Event('pagehide'));
  void fetch('/', { body: '{}' });
  events.dispatchEvent(new Event('pageshow'));
  void fetch('/', { body: '{}' });
  expect(asked.map((one) => one.keepalive)).toEqual([false, true, true, false]);
});

test('what is in flight stays below what browsers allow together; answered and failed requests make room', async () => {
  const { asked, fetch } = heldNetwork();
  const first = fetch('/', lasting(15_000));
  const second = fetch('/', lasting(5_000));
  void fetch('/', lasting(1));
  asked[0]?.answer();
  await first;
  void fetch('/', lasting(15_001));
  asked[1]?.fail();
  await second.catch(() => undefined);
  void fetch('/', lasting(15_001));
  expect(asked.map((one) => one.keepalive)).toEqual([true, true, false, false, true]);
});

test('a body of unknown length ends with its page', () => {
  const { asked, fetch } = heldNetwork();
  void fetch('/', { body: new Blob(['x']), keepalive: true });
  expect(asked.map((one) => one.keepalive)).toEqual([false]);
});
