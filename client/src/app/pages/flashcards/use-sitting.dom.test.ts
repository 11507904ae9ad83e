// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { answered, dayOf, type Mark } from '../../../core/learning/leitner.ts';
import { useSitting } from './use-sitting.ts';

afterEach(cleanup);
const today = dayOf(new Date());

/** A store whose answers arrive, or fail, when the test says so. */
function sitting(marks: Record<string, Mark> = {}) {
  const asked: { arrive: () => void; fail: () => void }[] = [];
  const given: [string, Mark][] = [];
  const answer = (card: string, mark: Mark) =>
    new Promise<void>((resolve, reject) => {
      given.push([card, mark]);
      asked.push({ arrive: resolve, fail: () => reject(new Error('no')) });
    });
  const hook = renderHook((stored: Record<string, Mark>) => useSitting({ marks: stored, answer }), {
    initialProps: marks,
  });
  return { asked, hook, given };
}

test('an answer counts before the store has it', async () => {
  const { hook, asked } = sitting();
  await act(async () => void hook.result.current.answer('a', true));
  expect(hook.result.current.marks).toEqual({ a: { box: 2, day: today } });
  await act(async () => asked[0]?.arrive());
  hook.rerender({ a: answered(undefined, true, today) });
  expect(hook.result.current.marks).toEqual({ a: { box: 2, day: today } });
});

test('a second answer counts from the first, though the store has none yet', async () => {
  const { hook, given } = sitting({ a: { box: 3, day: 1 } });
  await act(async () => void hook.result.current.answer('a', false));
  await act(async () => void hook.result.current.answer('a', true));
  expect(given).toEqual([
    ['a', { box: 1, day: today }],
    ['a', { box: 2, day: today }],
  ]);
  expect(hook.result.current.marks).toEqual({ a: { box: 2, day: today } });
});

test('an answer that could not be stored is taken back', async () => {
  const { hook, asked } = sitting({ a: { box: 3, day: 1 } });
  let failed: unknown;
  await act(async () => void hook.result.current.answer('a', false).catch((error) => (failed = error)));
  expect(hook.result.current.marks).toEqual({ a: { box: 1, day: today } });
  await act(async () => asked[0]?.fail());
  expect(failed).toEqual(new Error('no'));
  expect(hook.result.current.marks).toEqual({ a: { box: 3, day: 1 } });
});

test('what another window stores later counts, and the order of the answers is kept', async () => {
  const { hook } = sitting();
  for (const card of ['a', 'b', 'a']) await act(async () => void hook.result.current.answer(card, false));
  expect(hook.result.current.order).toEqual(['b', 'a']);
  hook.rerender({ a: { box: 4, day: today } });
  expect(hook.result.current.marks).toEqual({ a: { box: 4, day: today }, b: { box: 1, day: today } });
});
