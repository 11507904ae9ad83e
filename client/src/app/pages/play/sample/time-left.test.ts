import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

test('the time that is left is said in whole minutes, never as more than there is by one', () => {
  expect(timeLeft(3_600_000)).toBe('60 min');
  expect(timeLeft(3_540_001)).toBe('60 min');
  expect(timeLeft(3_540_000)).toBe('59 min');
  expect(timeLeft(60_001)).toBe('2 min');
  for (const ms of [60_000, 1, 0, -5_000]) expect(timeLeft(ms)).toBe('under 1 min');
});
