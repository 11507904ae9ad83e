// @vitest-environment happy-dom
/** Click-through tutorials can be started from the help popup and the guides by signed-in users. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultUserObject } from '../../data/user-object/schema.ts';
import { Component as TutorialsPage } from '../pages/tutorials/tutorials.tsx';
import { TUTORIALS } from '../tutorials/definitions.ts';
import HelpList from './help-list.tsx';

const NEW = { providers: ['password'], emailVerified: false, createdAt: Date.UTC(2026, 0, 1) };
const world = vi.hoisted(() => ({ user: null as object | null, host: {}, activate: vi.fn() }));
vi.mock('../../data/account/session.ts', () => ({ useSession: () => world.user }));
vi.mock('../../data/server/firebase.ts', () => ({ getServices: () => world }));
vi.mock('../../data/site/site.ts', () => ({ useSite: () => ({}), isOn: () => true }));
vi.mock('../../data/user-object/use-user-object.ts', () => ({
  useUserObject: () => ({ userObject: defaultUserObject() }),
}));
vi.mock('../tutorials/runtime.ts', () => ({ tutorials: { activate: world.activate } }));
vi.mock('../pages/tutorials/guide-figures.tsx', () => ({ GUIDE_FIGURES: {} }));
vi.mock('../prose/prose.tsx', () => ({ Prose: () => null }));

/** Each is offered in the popup and above its guide. */
const ALL = TUTORIALS.length;

afterEach(() => {
  cleanup();
  world.activate.mockClear();
});

/** The buttons that start one, with what clicking all of them starts. */
function offered(user: object | null) {
  world.user = user;
  render(
    <MantineProvider>
      <MemoryRouter>
        <HelpList onDone={() => {}} />
        <TutorialsPage />
      </MemoryRouter>
    </MantineProvider>,
  );
  const buttons = screen.getAllByRole<HTMLButtonElement>('button');
  for (const button of buttons) fireEvent.click(button);
  return {
    buttons: buttons.length,
    enabled: buttons.filter(({ disabled }) => !disabled).length,
    started: world.activate.mock.calls.length,
  };
}
const reasons = () => screen.queryAllByText(/once your e-mail address is verified/).length;

test('who is signed in starts them here and there', () => {
  expect(offered({ ...NEW, emailVerified: true })).toEqual({
    buttons: 2 * ALL,
    enabled: 2 * ALL,
    started: 2 * ALL,
  });
  expect(reasons()).toBe(0);
});

test('who has not verified the address cannot, and is told why', () => {
  expect(offered(NEW)).toEqual({ buttons: 2 * ALL, enabled: 0, started: 0 });
  expect(reasons()).toBe(ALL + 1);
});

test('who is not signed in is asked to log in', () => {
  expect(offered(null)).toEqual({ buttons: ALL, enabled: 0, started: 0 });
  expect([reasons(), screen.getByRole('link', { name: 'log in' }).getAttribute('href')]).toEqual([
    0,
    '/login?to=%2F',
  ]);
});

test.each([
  [{}, 'Community', '/docs#community'],
  [{ chatUrl: 'https://chat.example' }, 'Community chat', 'https://chat.example'],
])('it leads to the community, where the host is %j', (host, label, address) => {
  world.host = host;
  offered(null);
  expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(address);
});
