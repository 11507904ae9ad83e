// @vitest-environment happy-dom
/** Keys in the overlay, and a tutorial that runs in another tab. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultUserObject } from '../../data/user-object/schema.ts';
import { dialogLeaves, dialogShown } from '../../ui/popups/top-dialog.ts';
import { TUTORIALS } from './definitions.ts';
import { SEARCH_INTERVAL_MS } from './engine.ts';
import { tutorials } from './runtime.ts';
import { TutorialOverlay } from './tutorial-overlay.tsx';

const [{ tutorial }] = TUTORIALS as [(typeof TUTORIALS)[number]];
/** Kept at its second step, which has a button Next. */
const userObject = {
  ...defaultUserObject(),
  tutorialData: { currentTutorial: { ...tutorial, stepIndex: 1 }, namesOfTutorialsCompleted: [] },
};
const locks = vi.hoisted(() => {
  const free = { now: true };
  const request = async (
    _name: string,
    { ifAvailable }: LockOptions,
    granted: (lock: unknown) => Promise<void> | undefined,
  ) => granted(free.now || !ifAvailable ? {} : null);
  Object.defineProperty(globalThis.navigator, 'locks', { value: { request }, configurable: true });
  return free;
});
const saved = vi.hoisted(() => vi.fn(async () => true));
vi.mock('../../data/user-object/use-user-object.ts', () => ({
  useUserObject: () => ({ userObject, ready: true }),
  saveUserObject: saved,
}));

beforeEach(() => {
  // The browser has them; the DOM of the tests does not.
  HTMLElement.prototype.showPopover = () => {};
  HTMLElement.prototype.checkVisibility = () => true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  act(() => tutorials.handOver());
  cleanup();
  saved.mockClear();
  vi.useRealTimers();
});

async function open(): Promise<void> {
  render(
    <MantineProvider>
      <MemoryRouter>
        <input aria-label="Layout name" />
        <textarea aria-label="Words" />
        <button type="button" aria-label="Add text" />
        <TutorialOverlay />
      </MemoryRouter>
    </MantineProvider>,
  );
  await act(async () => {});
  await act(async () => void vi.advanceTimersByTime(SEARCH_INTERVAL_MS));
}
const press = (label: string) =>
  act(async () => {
    fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter', ctrlKey: true });
    vi.advanceTimersByTime(SEARCH_INTERVAL_MS);
  });

test('Ctrl+Enter is Next, but not where it breaks a line', async () => {
  locks.now = true;
  await open();
  expect(screen.getByText(/, 2 of 7$/)).not.toBeNull();
  await press('Words');
  expect(screen.getByText(/, 2 of 7$/)).not.toBeNull();
  await press('Layout name');
  expect(screen.getByText(/, 3 of 7$/)).not.toBeNull();
});

test('the bubble that a window covers is there again once the window is closed', async () => {
  locks.now = true;
  await open();
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  await act(async () => dialogShown(dialog));
  expect(screen.queryByText(/, 2 of 7$/)).toBeNull();
  await act(async () => {
    dialogLeaves(dialog);
    dialog.remove();
  });
  expect(screen.getByText(/, 2 of 7$/)).not.toBeNull();
});

test('one that another tab is at is neither shown nor ended', async () => {
  locks.now = false;
  await open();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect([tutorials.snapshot().phase, saved.mock.calls]).toEqual(['idle', []]);
});
