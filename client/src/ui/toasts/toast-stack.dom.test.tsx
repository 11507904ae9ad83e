// @vitest-environment happy-dom
/** Toasts as they are seen: their time, the pointer on them, clicks and buttons. */

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toasts } from './engine.ts';
import { ToastStack } from './toast-stack.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<ToastStack />);
});
afterEach(() => {
  act(() => {
    for (const { id } of toasts.snapshot()) toasts.close(id);
  });
  cleanup();
  vi.useRealTimers();
});

const show = (...args: Parameters<typeof toasts.show>) => act(() => void toasts.show(...args));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const toast = () => screen.queryByText('Saved')?.closest<HTMLElement>('[data-type]') ?? null;
/** How much of its time is left, as its bar shows it. */
const bar = () => toast()?.querySelector<HTMLElement>(':scope > span')?.style.transform;

test('one closes by itself after 2000 ms, and a bar shows the time go in steps of 10 ms', () => {
  show('Saved');
  expect(bar()).toBe('scaleX(1)');
  pass(9);
  expect(bar()).toBe('scaleX(1)');
  pass(491);
  expect(bar()).toBe('scaleX(0.75)');
  pass(1_499);
  expect(toast()).not.toBeNull();
  pass(1);
  expect(toast()).toBeNull();
});

test('its time stands still under the pointer', () => {
  show('Saved');
  pass(1_000);
  fireEvent.mouseEnter(toast() as HTMLElement);
  pass(60_000);
  expect(bar()).toBe('scaleX(0.5)');
  fireEvent.mouseLeave(toast() as HTMLElement);
  pass(990);
  expect(toast()).not.toBeNull();
  pass(10);
  expect(toast()).toBeNull();
});

test('a click closes it, unless it is one that stays; its cross always does', () => {
  show('Saved');
  fireEvent.click(toast() as HTMLElement);
  expect(toast()).toBeNull();
  show('Saved', { closeOnClick: false });
  fireEvent.click(toast() as HTMLElement);
  expect(toast()).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(toast()).toBeNull();
});

test('its buttons do what they say, and close it', () => {
  const undo = vi.fn();
  show('Saved', { closeOnClick: false, actions: [{ buttonText: 'Undo', function: undo }] });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(toast()).toBeNull();
});

test.each([
  ['success', 'status'],
  ['info', 'status'],
  ['warning', 'status'],
  ['error', 'alert'],
] as const)('%s is told to screen readers as %s', (type, role) => {
  show('Saved', { type });
  expect([toast()?.dataset.type, toast()?.getAttribute('role')]).toEqual([type, role]);
});
