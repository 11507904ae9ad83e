import { beforeEach, expect, test, vi } from 'vitest';
import { changeBegins, freezeDaily } from './daily.ts';

const DAY = 24 * 60 * 60 * 1_000;
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

test('the first change of each day freezes a project, but not on the day on which it was made', () => {
  let now = 10 * DAY;
  const freeze = vi.fn(async () => undefined);
  const stop = freezeDaily({ id: 'p', createdAt: now }, () => now, freeze);
  changeBegins('p');
  expect(freeze).not.toHaveBeenCalled();
  now += DAY;
  changeBegins('other');
  expect(freeze).not.toHaveBeenCalled();
  changeBegins('p');
  changeBegins('p');
  expect(freeze.mock.calls).toEqual([[{ id: 'p' }, 'daily']]);
  stop();
  now += DAY;
  changeBegins('p');
  expect(freeze).toHaveBeenCalledTimes(1);
  // The page of the next day knows of the last one's.
  freezeDaily({ id: 'p', createdAt: 10 * DAY }, () => now, freeze);
  changeBegins('p');
  expect(freeze).toHaveBeenCalledTimes(2);
});

test('a browser without storage freezes once for each page', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('no room');
    },
  });
  const freeze = vi.fn(async () => undefined);
  freezeDaily({ id: 'q', createdAt: 1 }, () => 5 * DAY, freeze);
  changeBegins('q');
  changeBegins('q');
  expect(freeze).toHaveBeenCalledOnce();
});
