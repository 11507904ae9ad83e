import { expect, test } from 'vitest';
import { parseMetrics, quantile, total } from './samples.ts';

const reading = (fast: number, slow: number) =>
  parseMetrics(`# TYPE t histogram
t_seconds_bucket{le="0.01"} ${fast}
t_seconds_bucket{le="0.1"} ${fast + slow}
t_seconds_bucket{le="+Inf"} ${fast + slow}
r_total{port="auth",status="2xx"} ${fast}
r_total{port="auth",status="4xx"} ${slow}
# EOF`);

test('numbers are read with their labels and summed', () => {
  const samples = reading(3, 2);
  expect(samples).toHaveLength(5);
  expect(total(samples, 'r_total')).toBe(5);
  expect(total(samples, 'r_total', { status: '4xx' })).toBe(2);
});

test('a quantile is of what came between two readings', () => {
  expect(quantile(reading(5, 5), reading(5, 5), 't_seconds', 0.5)).toBeUndefined();
  expect(quantile(reading(5, 5), reading(15, 5), 't_seconds', 0.5)).toBeCloseTo(0.005);
  expect(quantile(reading(5, 5), reading(5, 15), 't_seconds', 0.5)).toBeCloseTo(0.055);
});
