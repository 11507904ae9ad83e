// @vitest-environment happy-dom
/** Leaving from where no bar is: the gate that waits for a verified address, and the account page. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../data/account/session.ts';
import { guardUnsaved } from '../../data/account/unsaved-work.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { Component as AccountPage } from '../pages/account/account.tsx';
import { VerificationGate } from './verification-gate.tsx';

const ANN: SessionUser = {
  uid: 'ann',
  email: 'ann@example.com',
  displayName: 'Ann Lee',
  emailVerified: false,
  createdAt: Date.UTC(2026, 0, 1),
  providers: ['password'],
  admin: false,
};
const endSession = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../data/account/session.ts', () => ({ useUser: () => ANN, endSession }));
vi.mock('../../data/server/firebase.ts', () => ({ getServices: () => ({ host: {} }) }));
vi.mock('../pages/account/plan-sheet.tsx', () => ({ PlanSheet: () => null }));
vi.mock('../pages/account/forms.tsx', () => ({
  NameForm: () => null,
  EmailForm: () => null,
  PasswordForm: () => null,
}));
vi.mock('../pages/account/second-step.tsx', () => ({ SecondStep: () => null }));
vi.mock('../pages/account/data-rows.tsx', () => ({ DataRows: () => null }));

const assign = vi.fn();
beforeEach(() => void vi.spyOn(location, 'assign').mockImplementation(assign));
afterEach(() => {
  cleanup();
  for (const { id } of toasts.snapshot()) toasts.close(id);
  vi.restoreAllMocks();
  vi.clearAllMocks();
});

describe.each([
  ['the gate', <VerificationGate key="gate" user={ANN} />],
  ['the account page', <AccountPage key="account" />],
])('from %s', (_, screenful) => {
  const leave = async () => {
    render(
      <MantineProvider>
        <MemoryRouter>{screenful}</MemoryRouter>
      </MantineProvider>,
    );
    await act(async () => fireEvent.click(screen.getByText('Log out')));
  };

  test('it ends the session, goes to Login and loads the page anew', async () => {
    await leave();
    await vi.waitUntil(() => assign.mock.calls.length > 0);
    expect(endSession).toHaveBeenCalledTimes(1);
    expect(assign).toHaveBeenCalledExactlyOnceWith('/login');
  });

  test('it asks first while something is not saved', async () => {
    const save = vi.fn(async () => undefined);
    const unguard = guardUnsaved({ isUnsaved: () => true, save });
    await leave();
    await vi.waitUntil(() => toasts.snapshot().length > 0);
    unguard();
    expect(save).toHaveBeenCalledTimes(1);
    expect(endSession).not.toHaveBeenCalled();
    expect(assign).not.toHaveBeenCalled();
    const [asked] = toasts.snapshot();
    expect(asked?.message).toBe('Not everything here is saved yet.');
    await act(async () => asked?.actions[0]?.function());
    expect(endSession).toHaveBeenCalledTimes(1);
    expect(assign).toHaveBeenCalledExactlyOnceWith('/login');
  });

  test('what fails says so and stays', async () => {
    endSession.mockRejectedValueOnce(new Error('down'));
    await leave();
    await vi.waitUntil(() => toasts.snapshot().length > 0);
    expect(toasts.snapshot().map(({ message, type }) => [message, type])).toEqual([
      ['That logout did not work properly', 'error'],
    ]);
    expect(assign).not.toHaveBeenCalled();
  });
});
