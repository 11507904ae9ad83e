// @vitest-environment happy-dom
/** How a popup is left: by Escape, beside it and by its cross, unless it is locked; and how it goes. */

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Popup } from './popup.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const onClose = vi.fn();
const popup = (open: boolean, locked = false) => (
  <Popup open={open} locked={locked} onClose={onClose} title="A question">
    <button type="button">Inside</button>
  </Popup>
);
const dialog = () => screen.queryByRole('dialog');
const pressEscape = () => fireEvent.keyDown(screen.getByText('Inside'), { key: 'Escape' });

test('Escape, a click beside it and the cross ask its owner to close it', () => {
  onClose.mockClear();
  render(popup(true));
  pressEscape();
  fireEvent.mouseDown(dialog() as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(3);
  fireEvent.mouseDown(screen.getByText('Inside'));
  expect(onClose).toHaveBeenCalledTimes(3);
});

test('a locked one takes neither, and has no cross', () => {
  onClose.mockClear();
  render(popup(true, true));
  pressEscape();
  fireEvent(dialog() as HTMLElement, new Event('cancel', { cancelable: true }));
  fireEvent.mouseDown(dialog() as HTMLElement);
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test('it is gone 200 ms after it was closed', () => {
  const { rerender } = render(popup(true));
  rerender(popup(false));
  act(() => void vi.advanceTimersByTime(199));
  expect(dialog()?.dataset.phase).toBe('closing');
  act(() => void vi.advanceTimersByTime(1));
  expect(dialog()).toBeNull();
});
