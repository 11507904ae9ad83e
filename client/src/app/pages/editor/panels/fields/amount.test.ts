import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainAmount, readAmount } from './amount.ts';

describe('an amount', () => {
  it.each([
    ['10+5.5', 15.5],
    ['10,5', 10.5],
    ['10,5 + 1', 11.5],
    ['63/2', 31.5],
    ['2*(3+1) mm', 8],
    ['5 mm', 5],
    ['63 ÷ 2 − 1', 30.5],
    ['-3', -3],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
  ])('%s is %d', (text, value) => {
    expect(readAmount(text, 'mm')).toBeCloseTo(value, 9);
  });

  it.each(['', ' ', 'mm', 'ten', '1/0', '10+', '1..2', 'index', "'5'", '{{5}}', '1e999'])(
    '%s is none',
    (text) => {
      expect(readAmount(text, 'mm')).toBeUndefined();
    },
  );

  it('is the sum of any two numbers', () => {
    const amount = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 100);
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(readAmount(`${a} + ${b}`)).toBeCloseTo(a + b, 6);
        expect(plainAmount(String(a))).toBe(a);
      }),
    );
  });

  it('is plain only where nothing has to be worked out', () => {
    expect(plainAmount('10.5 mm', 'mm')).toBe(10.5);
    expect(plainAmount('10+5')).toBeUndefined();
  });
});
