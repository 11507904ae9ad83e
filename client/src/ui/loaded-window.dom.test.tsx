// @vitest-environment happy-dom

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadedWindow } from './loaded-window.tsx';
import { toasts } from './toasts/engine.ts';

type Props = { readonly onClose: () => void; readonly words: string };
const Words: ComponentType<Props> = ({ words }) => <p>{words}</p>;

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(cleanup);

/** A window whose code comes, or does not, when the test says so. */
function opened() {
  const waiting: { come: () => void; fail: () => void }[] = [];
  const load = () =>
    new Promise<ComponentType<Props>>((resolve, reject) => {
      waiting.push({ come: () => resolve(Words), fail: () => reject(new TypeError('Failed to fetch')) });
    });
  const onClose = vi.fn();
  const open = () => render(<LoadedWindow load={load} props={{ onClose, words: 'Here' }} />);
  return { open, onClose, waiting };
}

test('a window that does not come is told of and closes; opened again, it is there, and at once from then on', async () => {
  const { open, onClose, waiting } = opened();
  const first = open();
  expect(screen.getByRole('status').textContent).toBe('Loading…');
  await act(async () => waiting[0]?.fail());
  expect(onClose).toHaveBeenCalledOnce();
  const told = toasts.snapshot().at(-1);
  expect(told?.message).toContain('could not be loaded');
  expect(told?.actions.map(({ buttonText }) => buttonText)).toEqual(['Load the page again']);
  first.unmount();
  const second = open();
  await act(async () => waiting[1]?.come());
  expect(screen.getByText('Here')).toBeTruthy();
  second.unmount();
  open();
  expect(screen.getByText('Here')).toBeTruthy();
  expect(waiting).toHaveLength(2);
});

test('Escape calls a window off that has not come, and one that has come keeps its keys', async () => {
  const { open, onClose, waiting } = opened();
  open();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
  await act(async () => waiting[0]?.come());
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});
