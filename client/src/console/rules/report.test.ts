import { expect, test } from 'vitest';
import { lineOffsets, resultsByLine } from './report.ts';

test('each line has what its outermost evaluated expression came to', () => {
  const at = (line: number, value: Record<string, unknown>, children: object[] = []) => ({
    sourcePosition: { line, column: 1 },
    values: [{ value, count: 1 }],
    children,
  });
  const failed = { undefined: { causeMessage: 'Null value error.' } };
  const never = { sourcePosition: { line: 9, column: 1 } };
  const report = [at(3, { boolValue: false }, [at(3, { stringValue: 'ann' }), at(4, failed)]), never];
  expect([...resultsByLine(report as never)]).toEqual([
    [3, { tone: 'false', text: 'false' }],
    [4, { tone: 'failed', text: 'Null value error.' }],
  ]);
});

test('a line is found in its text', () => {
  expect(lineOffsets('ab\ncdef\n', 2)).toEqual([3, 7]);
});
