import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const calls = vi.hoisted(() => ({ freezeAutomatically: vi.fn() }));
vi.mock('./calls.ts', () => calls);

const { freezeBefore, freezeBeforeWriting, importBegins, MAX_WAIT_MS } = await import('./automatic.ts');

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('an act waits for its version, but not for ever', async () => {
  let frozen: () => void = () => undefined;
  calls.freezeAutomatically.mockImplementation(
    () =>
      new Promise<void>((resolve) => {
        frozen = resolve;
      }),
  );
  const first = vi.fn();
  const done = freezeBefore({ id: 'p' }, 'print').then(first);
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS - 1);
  expect(first).not.toHaveBeenCalled();
  frozen();
  await done;
  const second = vi.fn();
  const late = freezeBefore({ id: 'p' }, 'print').then(second);
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  await late;
  expect(second).toHaveBeenCalledOnce();
});

test('a version that cannot be made blocks nothing, and is told on the console', async () => {
  calls.freezeAutomatically.mockRejectedValue(new Error('The server cannot be reached.'));
  await freezeBefore({ id: 'p' }, 'bulk');
  expect(console.warn).toHaveBeenCalledOnce();
});

test('many cards and imports are frozen before, once for all writes of one change', async () => {
  const freeze = vi.fn(async () => undefined);
  let now = 0;
  const write = (project: string, cards: number) => freezeBeforeWriting(project, cards, () => now, freeze);
  await write('a', 1);
  await write('a', 24);
  expect(freeze).not.toHaveBeenCalled();
  await write('a', 250);
  await write('a', 250);
  expect(freeze.mock.calls).toEqual([[{ id: 'a' }, 'bulk']]);
  now = 60_000;
  await write('a', 250);
  expect(freeze).toHaveBeenCalledTimes(2);
  importBegins('b');
  await write('a', 1);
  await write('b', 1);
  await write('b', 250);
  expect(freeze.mock.calls.slice(2)).toEqual([[{ id: 'b' }, 'import']]);
});
