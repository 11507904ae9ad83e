// @vitest-environment happy-dom
/** Toasts as they are seen: their time, the pointer on them, clicks and buttons. */

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Popup } from '../popups/popup.tsx';
import { toasts } from './engine.ts';
import { ToastStack } from './toast-stack.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // The browser has it; the DOM of the tests does not.
  HTMLElement.prototype.showPopover = () => {};
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
/** Remaining time as shown by the bar. */
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

test('they belong to the topmost popup while one is open, and time goes on', () => {
  const popups = (first: boolean, second: boolean) => (
    <>
      <Popup open={first} title="First" locked>
        One
      </Popup>
      <Popup open={second} title="Second">
        Two
      </Popup>
    </>
  );
  const where = () => toast()?.closest('dialog')?.querySelector('h2')?.textContent;
  show('Saved', { autoCloseTime: 1_000 });
  const node = toast();
  const { rerender, unmount } = render(popups(true, false));
  expect(where()).toBe('First');
  rerender(popups(true, true));
  expect(where()).toBe('Second');
  expect(bar()).toBe('scaleX(1)');
  pass(250);
  rerender(popups(true, false));
  // It is modal as long as it is there.
  expect(where()).toBe('Second');
  pass(200);
  expect(where()).toBe('First');
  rerender(popups(false, false));
  pass(200);
  expect([where(), toast()]).toEqual([undefined, node]);
  expect(bar()).toBe('scaleX(0.35)');
  unmount();
  pass(350);
  expect(toast()).toBeNull();
});

test('the ones that come while a popup is open can be closed there, and it stays open', () => {
  const onClose = vi.fn();
  render(
    <Popup open title="A question" onClose={onClose}>
      Inside
    </Popup>,
  );
  show('Saved', { closeOnClick: false });
  expect(toast()?.closest('dialog')).not.toBeNull();
  const cross = screen.getByRole('button', { name: 'Close message' });
  fireEvent.mouseDown(cross);
  fireEvent.click(cross);
  expect(toast()).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});
