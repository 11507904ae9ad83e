// @vitest-environment happy-dom
/** Constants of the specification as the screens apply them, on a fake clock. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reloadProfile, type SessionUser } from '../data/account/session.ts';
import { defaultUserObject } from '../data/user-object/schema.ts';
import { toasts } from '../ui/toasts/engine.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { Introductions } from './announcements/introductions.tsx';
import { HelpButton } from './help/help-button.tsx';
import { VerificationGate } from './shell/verification-gate.tsx';

const sdk = vi.hoisted(() => ({
  user: { uid: 'ann', metadata: {}, providerData: [] },
  reload: vi.fn(async () => {}),
  sendEmailVerification: vi.fn(async () => {}),
}));
const settings = vi.hoisted(() => ({ userObject: {}, ready: true, save: vi.fn(async () => {}) }));
vi.mock('@sdk/auth', async (original) => ({ ...(await original<object>()), ...sdk }));
vi.mock('../data/server/firebase.ts', () => ({
  getServices: () => ({ auth: { currentUser: sdk.user }, host: {} }),
}));
vi.mock('../data/user-object/use-user-object.ts', () => ({ useUserObject: () => settings }));

const show = (what: ReactNode) =>
  render(
    <MantineProvider>
      <MemoryRouter>{what}</MemoryRouter>
    </MantineProvider>,
  );
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  // The browser has it; the DOM of the tests does not.
  HTMLElement.prototype.showPopover = () => {};
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toasts.snapshot()) toasts.close(id);
  vi.useRealTimers();
  vi.clearAllMocks();
});

test('the profile is fetched again once in 3000 ms, or when forced', async () => {
  await reloadProfile();
  await pass(2_999);
  await reloadProfile();
  expect(sdk.reload).toHaveBeenCalledTimes(1);
  await reloadProfile(true);
  expect(sdk.reload).toHaveBeenCalledTimes(2);
  await pass(2_999);
  await reloadProfile();
  expect(sdk.reload).toHaveBeenCalledTimes(2);
  await pass(1);
  await reloadProfile();
  expect(sdk.reload).toHaveBeenCalledTimes(3);
});

test('a tooltip shows after 200 ms under the pointer, and not when it left before', async () => {
  show(
    <Tooltip label="Undo">
      <button type="button">↶</button>
    </Tooltip>,
  );
  const anchor = screen.getByRole('button').parentElement as HTMLElement;
  fireEvent.mouseEnter(anchor);
  await pass(199);
  fireEvent.mouseLeave(anchor);
  await pass(1_000);
  expect(screen.queryByText('Undo')).toBeNull();
  fireEvent.mouseEnter(anchor);
  await pass(199);
  expect(screen.queryByText('Undo')).toBeNull();
  await pass(1);
  expect(screen.getByText('Undo')).not.toBeNull();
});

test('the help popup is 400 px wide', () => {
  const { container } = show(<HelpButton />);
  expect(container.querySelector<HTMLElement>('[aria-label="Help"][popover]')?.style.width).toBe('400px');
});

/** The gate, to an account made on a day of September 2025. */
function gate(day: number, uid = 'ann') {
  const user = { uid, email: 'ann@example.com', providers: ['password'], emailVerified: false };
  return show(
    <VerificationGate user={{ ...user, createdAt: Date.UTC(2025, 8, day) } as unknown as SessionUser} />,
  );
}
const again = () => screen.getByText(/^Send (again|the link)/).closest('button') as HTMLButtonElement;

test('the verification mail is sent again after 60000 ms, and the button counts them', async () => {
  const old = gate(23);
  expect(screen.queryByText('Verify your e-mail address')).toBeNull();
  old.unmount();
  gate(24);
  await act(async () => fireEvent.click(again()));
  expect(sdk.sendEmailVerification).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ uid: 'ann' }), {
    url: `${location.origin}/decks`,
  });
  expect(again().textContent).toBe('Send again in 60 s');
  await pass(59_000);
  expect([again().textContent, again().disabled]).toEqual(['Send again in 1 s', true]);
  await pass(1_000);
  expect([again().textContent, again().disabled]).toEqual(['Send again', false]);
});

test('the 60000 ms pass as well where the browser keeps nothing', async () => {
  for (const method of ['getItem', 'setItem'] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  }
  sdk.user.uid = 'bea';
  gate(24, 'bea');
  await act(async () => fireEvent.click(again()));
  expect([again().textContent, again().disabled]).toEqual(['Send again in 60 s', true]);
  cleanup();
  gate(24, 'bea');
  expect(again().disabled).toBe(true);
  await pass(60_000);
  expect(again().disabled).toBe(false);
  sdk.user.uid = 'ann';
  vi.restoreAllMocks();
});

test('a verification mail that cannot be sent is a warning in the log and no more', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const failure = new Error('down');
  sdk.sendEmailVerification.mockRejectedValueOnce(failure);
  gate(24);
  await act(async () => fireEvent.click(again()));
  expect(warned).toHaveBeenCalledExactlyOnceWith('verification mail was not sent', failure);
  expect(toasts.snapshot()).toEqual([]);
  expect([again().textContent, again().disabled]).toEqual(['Send the link', false]);
  warned.mockRestore();
});

test('Got it takes the announcement down for good: below 4 it is shown, with 4 it is not', () => {
  for (const [announcementNumber, shown] of [
    [3, true],
    [4, false],
  ] as const) {
    settings.userObject = { ...defaultUserObject(), shownNewUserIntro: true, announcementNumber };
    const { unmount } = show(<Introductions />);
    expect(screen.queryByText('Got it') !== null).toBe(shown);
    if (shown) fireEvent.click(screen.getByText('Got it'));
    unmount();
  }
  expect(settings.save).toHaveBeenCalledExactlyOnceWith({ announcementNumber: 4 });
});
