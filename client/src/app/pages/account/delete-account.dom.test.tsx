// @vitest-environment happy-dom
/** Questions asked before an account is deleted. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../../data/account/session.ts';
import { DeleteRow } from './delete-account.tsx';

const world = vi.hoisted(() => ({
  deleted: vi.fn(async (_password: string | undefined, _projects: object) => 1),
  left: vi.fn(async (_provider: object, _to: string) => {}),
  projects: [] as {
    id: string;
    name: string;
    owner: string;
    members: Record<string, string>;
    people: Record<string, string>;
  }[],
}));
vi.mock('../../../data/project/queries.ts', () => ({
  useJoinedProjects: () => ({ data: { items: world.projects, unreadable: [] }, error: null }),
}));
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
  const button = () => screen.getByText('Delete the account').closest('button') as HTMLButtonElement;
  expect(button().disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long enough one' } });
  expect(button().disabled).toBe(false);
  await send('Delete the account');
  expect(world.deleted).toHaveBeenCalledExactlyOnceWith('a long enough one', {});
  expect(assign).toHaveBeenCalledExactlyOnceWith('/');
});

test('each project that others work on is offered to one of them, or deleted as chosen', async () => {
  const project = (id: string, owner: string, members: Record<string, string>) => ({
    ...{ id, name: `Game ${id}`, owner },
    members: { [owner]: 'owner', ...members },
    people: { ann: 'Ann', bob: 'Bob', cat: 'Cat' },
  });
  world.projects = [project('alone', 'ann', {}), project('theirs', 'bob', { ann: 'editor' })];
  show(['password']);
  await press('Delete my account');
  expect(screen.queryByText('Others work on these projects')).toBeNull();

  cleanup();
  world.projects = [
    project('one', 'ann', { bob: 'viewer', cat: 'editor' }),
    project('two', 'ann', { bob: 'editor' }),
    project('three', 'ann', { bob: 'playtester', cat: 'owner' }),
    project('alone', 'ann', {}),
  ];
  show(['password']);
  await press('Delete my account');
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  const choices = [...screen.getByLabelText<HTMLSelectElement>('What becomes of Game one').options];
  expect(choices.map(({ text }) => text)).toEqual([
    'Offer it to Bob',
    'Offer it to Cat',
    'Delete it for everybody',
  ]);
  fireEvent.change(screen.getByLabelText('What becomes of Game two'), { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long enough one' } });
  await send('Delete the account');
  expect(world.deleted).toHaveBeenCalledExactlyOnceWith('a long enough one', {
    one: { offerTo: 'cat' },
    two: 'delete',
    three: { offerTo: 'cat' },
  });
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
  await send('Delete the account');
  expect(screen.queryByText('Delete the account')).toBeNull();
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
