// @vitest-environment happy-dom
/** Questions asked before an account is deleted. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../../data/account/session.ts';
import { DeleteRow } from './delete-account.tsx';

const world = vi.hoisted(() => ({
  deleted: vi.fn(async (_password: string | undefined) => 1),
  left: vi.fn(async (_provider: object, _to: string) => {}),
  projects: [] as { id: string; name: string; owner: string; members: Record<string, string> }[],
}));
vi.mock('../../../data/project/queries.ts', () => ({
  useJoinedProjects: () => ({ data: { items: world.projects, unreadable: [] }, error: null }),
}));
vi.mock('../../../data/project/members.ts', async () => {
  const others = ({ owner, members }: (typeof world.projects)[number]) =>
    Object.entries(members).filter(([uid]) => uid !== owner);
  return { otherMembers: others, isShared: (project: never) => others(project).length > 0 };
});
vi.mock('../../../data/account/account.ts', () => ({ deleteMyAccount: world.deleted }));
vi.mock('../../../data/server/firebase.ts', () => ({
  getServices: () => ({ host: { contact: 'ask@example.com' } }),
}));
vi.mock('../../../data/account/provider-sign-in.ts', () => ({
  signInProviders: () => [{ id: 'google.com', name: 'Google' }],
  signInAt: world.left,
}));

const assign = vi.fn();
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  world.projects = [];
});

function show(providers: readonly string[], address = '/account'): void {
  vi.spyOn(location, 'assign').mockImplementation(assign);
  const user: SessionUser = {
    uid: 'ann',
    email: 'ann@example.com',
    displayName: 'Ann',
    emailVerified: true,
    createdAt: 0,
    providers,
    admin: false,
  };
  render(
    <MantineProvider>
      <MemoryRouter initialEntries={[address]}>
        <DeleteRow user={user} />
      </MemoryRouter>
    </MantineProvider>,
  );
}
const press = (text: string) => act(async () => fireEvent.click(screen.getByText(text)));
/** The form's own button; the tests' DOM submits by itself. */
const send = (text: string) =>
  act(async () => fireEvent.submit(screen.getByText(text).closest('form') as HTMLFormElement));

test('a password is asked for where there is one', async () => {
  show(['password', 'google.com']);
  await press('Delete my account');
  const button = () => screen.getByText('Delete everything').closest('button') as HTMLButtonElement;
  expect(button().disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long enough one' } });
  expect(button().disabled).toBe(false);
  await send('Delete everything');
  expect(world.deleted).toHaveBeenCalledExactlyOnceWith('a long enough one');
  expect(assign).toHaveBeenCalledExactlyOnceWith('/');
});

test('projects that others work on too are named, and nothing is said where there is none', async () => {
  const project = (id: string, owner: string, ...members: string[]) => ({
    ...{ id, name: `Game ${id}`, owner },
    members: Object.fromEntries([owner, ...members].map((uid) => [uid, 'editor'])),
  });
  world.projects = [project('alone', 'ann'), project('theirs', 'bob', 'ann')];
  show(['password']);
  await press('Delete my account');
  expect(screen.queryByText('Others lose these projects too')).toBeNull();

  cleanup();
  const many = Array.from({ length: 10 }, (_, i) => project(`n${i}`, 'ann', 'bob'));
  world.projects = [project('one', 'ann', 'bob', 'cat'), project('alone', 'ann'), ...many];
  show(['password']);
  await press('Delete my account');
  screen.getByText('Others lose these projects too');
  const listed = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(listed[0]).toBe('Game one, with 2 other members');
  expect(listed[1]).toBe('Game n0, with 1 other member');
  expect(listed).toHaveLength(11);
  expect(listed.at(-1)).toBe('and 1 more');
});

test('else a sign-in at the provider, and again when that was too long ago', async () => {
  show(['google.com']);
  await press('Delete my account');
  await send('Sign in with Google');
  expect(world.left.mock.calls.map(([, to]) => to)).toEqual(['/account?delete=ann']);
  expect(world.deleted).not.toHaveBeenCalled();

  cleanup();
  show(['google.com'], '/account?delete=ann');
  world.deleted.mockRejectedValueOnce(new Error('Sign in again.'));
  await send('Delete everything');
  expect(screen.queryByText('Delete everything')).toBeNull();
  await send('Sign in with Google');
  expect(world.left).toHaveBeenCalledTimes(2);
});

test('who came back as somebody else is asked nothing', () => {
  show(['google.com'], '/account?delete=bob');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText(/came back as somebody else/)).not.toBeNull();
});

test('who can show neither is told whom to write to', () => {
  show(['github.com']);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText(/write to ask@example.com/)).not.toBeNull();
});
