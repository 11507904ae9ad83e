import { expect, test, vi } from 'vitest';
import { type Locks, TabClaim } from './tab-claim.ts';

/** One lock for all tabs, as the browser has it. */
class OneLock {
  #end: ((error?: Error) => void) | undefined;

  readonly request = (async (
    _name: string,
    { ifAvailable, steal }: LockOptions,
    granted: (lock: Lock | null) => Promise<void> | undefined,
  ) => {
    await Promise.resolve();
    if (this.#end && ifAvailable) return granted(null);
    if (this.#end && steal) this.#end(new DOMException('stolen', 'AbortError'));
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        if (this.#end === end) this.#end = undefined;
        if (error) reject(error);
        else resolve();
      };
      this.#end = end;
      void Promise.resolve(granted({ name: 'one', mode: 'exclusive' })).then(() => end());
    });
  }) as Locks['request'];

  /** The tab that has it is closed. */
  closeHolder(): void {
    this.#end?.();
  }
}

function tabs() {
  const lock = new OneLock();
  const lost = vi.fn<(tab: string) => void>();
  const tab = (name: string) => new TabClaim(lock, () => lost(name));
  return { lock, lost, one: tab('one'), two: tab('two') };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('who looks while another tab has it does not get it', async () => {
  const { one, two, lost } = tabs();
  expect(await one.takeIfFree()).toBe(true);
  expect(await two.takeIfFree()).toBe(false);
  expect(lost).not.toHaveBeenCalled();
});

test('it is free when the tab that has it lets go or is closed', async () => {
  const { lock, one, two, lost } = tabs();
  one.take();
  await settled();
  one.release();
  await settled();
  expect(await two.takeIfFree()).toBe(true);
  lock.closeHolder();
  await settled();
  expect(await one.takeIfFree()).toBe(true);
  expect(lost).not.toHaveBeenCalled();
});

test('who begins a tutorial takes over, and the other tab is told', async () => {
  const { one, two, lost } = tabs();
  one.take();
  await settled();
  two.take();
  await settled();
  expect(lost.mock.calls).toEqual([['one']]);
  // And back again.
  one.take();
  await settled();
  expect(lost.mock.calls).toEqual([['one'], ['two']]);
});

test('a tab takes nothing from itself', async () => {
  const { one, lost } = tabs();
  const looked = one.takeIfFree();
  one.take();
  expect(await looked).toBe(false);
  await settled();
  one.take();
  await settled();
  expect(lost).not.toHaveBeenCalled();
  one.release();
  one.take();
  await settled();
  expect(lost).not.toHaveBeenCalled();
});

test.each([
  ['has no locks', undefined],
  ['refuses them', { request: () => Promise.reject(new DOMException('no', 'SecurityError')) } as Locks],
])('where the browser %s, a tab is the only one', async (_, locks) => {
  const lost = vi.fn();
  const one = new TabClaim(locks, lost);
  expect(await one.takeIfFree()).toBe(true);
  one.take();
  await settled();
  one.release();
  expect(lost).not.toHaveBeenCalled();
});
