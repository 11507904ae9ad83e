// @vitest-environment happy-dom
/** Keys in the overlay, and a tutorial that runs in another tab. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultUserObject, type Tutorial, type UserObject } from '../../data/user-object/schema.ts';
import { Tabs } from '../../ui/page/tabs.tsx';
import { dialogLeaves, dialogShown } from '../../ui/popups/top-dialog.ts';
import { TUTORIALS } from './definitions.ts';
import { SEARCH_INTERVAL_MS } from './engine.ts';
import { WRITE_A_RULEBOOK } from './rulebook-tutorial.ts';
import { tutorials } from './runtime.ts';
import { TutorialOverlay } from './tutorial-overlay.tsx';

const [{ tutorial }] = TUTORIALS as [(typeof TUTORIALS)[number]];
const keptAt = (kept: Tutorial, stepIndex: number) => ({
  ...defaultUserObject(),
  tutorialData: { currentTutorial: { ...kept, stepIndex }, namesOfTutorialsCompleted: [] },
});
let userObject: UserObject;
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
  locks.now = true;
  // Its second step has a button Next.
  userObject = keptAt(tutorial, 1);
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

async function open(page?: ReactNode): Promise<void> {
  render(
    <MantineProvider>
      <MemoryRouter>
        <input aria-label="Layout name" />
        <textarea aria-label="Words" />
        <button type="button" aria-label="Add text" />
        {page}
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

test.each([4, 6])(
  'labels in the text of a rulebook, and what is dropped there, do not end step %i',
  async (at) => {
    userObject = keptAt(WRITE_A_RULEBOOK.tutorial, at);
    await open(
      // biome-ignore lint/a11y/useSemanticElements: a field cannot hold labels
      <div role="textbox" tabIndex={0} aria-label="Text of the rulebook">
        <span contentEditable={false}>Term of the sea</span>
      </div>,
    );
    const steps = WRITE_A_RULEBOOK.tutorial.steps.length;
    await act(async () => {
      fireEvent.click(screen.getByText('Term of the sea'));
      fireEvent.drop(screen.getByText('Term of the sea'));
      vi.advanceTimersByTime(SEARCH_INTERVAL_MS);
    });
    expect(screen.getByText(new RegExp(`, ${at + 1} of ${steps}$`))).not.toBeNull();
    expect(tutorials.snapshot()).toMatchObject({ phase: 'showing', tutorial: { stepIndex: at } });
  },
);

test('who has no project yet begins the tutorial of rulebooks with the sample game', async () => {
  userObject = keptAt(WRITE_A_RULEBOOK.tutorial, 0);
  await open(<button type="button" data-tutorial="sample" />);
  expect(screen.getByText(/open the sample game/)).not.toBeNull();
});

const SIDES = [
  { id: 'pages', label: 'Pages' },
  { id: 'checks', label: 'Checks' },
] as const;

test('who looks at the checks of a rulebook is led to its pages by their tab', async () => {
  userObject = keptAt(WRITE_A_RULEBOOK.tutorial, 7);
  await open(<Tabs label="Beside" tabs={SIDES} shown="checks" onShow={() => {}} />);
  expect(tutorials.snapshot().phase).toBe('showing');
});
