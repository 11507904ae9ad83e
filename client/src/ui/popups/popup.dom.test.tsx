// @vitest-environment happy-dom
/** A popup closes by Escape, a click beside it or its cross, unless it is locked; and its closing animation. */

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

test('one the browser closes by itself is open again, and its owner asked unless it is locked', () => {
  onClose.mockClear();
  const { rerender } = render(popup(true, true));
  const shown = dialog() as HTMLDialogElement;
  act(() => shown.close());
  expect(shown.open).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
  rerender(popup(true));
  act(() => shown.close());
  expect(shown.open).toBe(true);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a file chooser that is left inside it closes nothing', () => {
  onClose.mockClear();
  render(popup(true));
  fireEvent(screen.getByText('Inside'), new Event('cancel', { bubbles: true, cancelable: true }));
  expect(onClose).not.toHaveBeenCalled();
});

test('it is gone 200 ms after it was closed', () => {
  const { rerender } = render(popup(true));
  rerender(popup(false));
  act(() => void vi.advanceTimersByTime(199));
  expect(dialog()?.dataset.phase).toBe('closing');
  expect(dialog()?.style.getPropertyValue('--close-time')).toBe('200ms');
  act(() => void vi.advanceTimersByTime(1));
  expect(dialog()).toBeNull();
});

test('the focus goes to what asks for it, and back to what opened it', () => {
  const page = (open: boolean) => (
    <>
      <button type="button">Opener</button>
      <Popup open={open} title="A question">
        <input aria-label="Answer" data-autofocus />
      </Popup>
    </>
  );
  const { rerender } = render(page(false));
  screen.getByText('Opener').focus();
  rerender(page(true));
  expect(document.activeElement).toBe(screen.getByLabelText('Answer'));
  const shown = dialog() as HTMLDialogElement;
  const closed = vi.spyOn(shown, 'close');
  rerender(page(false));
  act(() => void vi.advanceTimersByTime(200));
  // Chrome gives the focus back where a dialog is closed, and loses it where one is only removed.
  expect(closed).toHaveBeenCalledOnce();
  expect(dialog()).toBeNull();
});

test('one that is removed while it is open asks its owner nothing', () => {
  onClose.mockClear();
  const { rerender } = render(popup(true));
  rerender(<p>Another page</p>);
  expect(onClose).not.toHaveBeenCalled();
});
