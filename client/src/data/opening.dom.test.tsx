// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CALM_MS, SETTLING_MS, useOpening } from './opening.ts';

/** Locks as the browser holds them for its pages. */
const held = new Map<string, number>();
const locks = {
  request: async (name: string, _options: LockOptions, work: () => Promise<void>) => {
    held.set(name, (held.get(name) ?? 0) + 1);
    await work();
    const left = (held.get(name) ?? 0) - 1;
    if (left > 0) held.set(name, left);
    else held.delete(name);
  },
  query: async () => ({ held: [...held.keys()].map((name) => ({ name })), pending: [] }),
};

const KEY = 'tuckbox-opening:p';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks as unknown as LockManager);
  localStorage.clear();
  held.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A page that opens the project `p`. */
async function openPage() {
  const page = renderHook(() => useOpening('p'));
  await act(() => vi.advanceTimersByTimeAsync(0));
  return page;
}

test('a page that ended before it was idle is asked about', async () => {
  localStorage.setItem(KEY, '1');
  const page = await openPage();
  expect(page.result.current.state).toBe('checking');
  await act(() => vi.advanceTimersByTimeAsync(SETTLING_MS));
  expect(page.result.current.state).toBe('ask');
});

test('a second page opens while the first is opening', async () => {
  expect((await openPage()).result.current.state).toBe('open');
  expect(localStorage.getItem(KEY)).toBe('1');
  expect((await openPage()).result.current.state).toBe('open');
});

test('a mark that storage shows for a while after it was removed is not one left behind', async () => {
  const first = await openPage();
  await act(() => vi.advanceTimersByTimeAsync(CALM_MS));
  expect(localStorage.getItem(KEY)).toBeNull();
  // As storage of another page still shows it.
  localStorage.setItem(KEY, '1');
  const second = await openPage();
  expect(second.result.current.state).toBe('checking');
  localStorage.removeItem(KEY);
  await act(async () => {
    window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(second.result.current.state).toBe('open');
  first.unmount();
});

test('a page that leaves while it opens leaves nothing behind', async () => {
  await openPage();
  expect(localStorage.getItem(KEY)).toBe('1');
  window.dispatchEvent(new Event('pagehide'));
  expect(localStorage.getItem(KEY)).toBeNull();
});
