// @vitest-environment happy-dom
/** The bar at the top: who sees which links, and how one leaves. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionUser } from '../../data/account/session.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { Navbar } from './navbar.tsx';

const world = vi.hoisted(() => ({
  user: null as SessionUser | null,
  guest: null as SessionUser | null,
  host: {} as { chatUrl?: string; admins?: readonly string[] },
  endSession: vi.fn(async () => {}),
}));
vi.mock('../../data/server/firebase.ts', () => ({ getServices: () => ({ host: world.host }) }));
vi.mock('../../data/account/session.ts', () => ({
  useSession: () => world.user,
  useGuest: () => world.guest,
  endSession: world.endSession,
}));

const ANN: SessionUser = {
  uid: 'ann',
  email: 'ann@example.com',
  displayName: 'Ann Lee',
  emailVerified: true,
  createdAt: 0,
  providers: ['password'],
  admin: false,
};

function show(user: SessionUser | null, host: typeof world.host = {}, at = '/'): void {
  Object.assign(world, { user, host });
  render(
    <MantineProvider>
      <MemoryRouter initialEntries={[at]}>
        <Navbar />
      </MemoryRouter>
    </MantineProvider>,
  );
}

// The browser has it; the DOM of the tests does not.
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  for (const { id } of toasts.snapshot()) toasts.close(id);
  vi.clearAllMocks();
  vi.restoreAllMocks();
});

const main = () => screen.getByRole('navigation', { name: 'Main' });
/** Lines of the menu whose button says this. */
function menuOf(button: RegExp): HTMLElement {
  const id = screen.getByRole('button', { name: button }).getAttribute('aria-controls') ?? '';
  return document.getElementById(id) as HTMLElement;
}
const lines = (menu: HTMLElement) =>
  [...menu.querySelectorAll('[role="menuitem"]')].map(({ textContent }) => textContent);

test('signed out it says Howdy, greys the links that need an account, and offers to log in', () => {
  show(null);
  expect(screen.getByRole('button', { name: /Howdy!/ })).not.toBeNull();
  expect(lines(menuOf(/Howdy!/))).toEqual(['Login', 'Sign up']);
  for (const [name, to] of [
    ['Projects', '/login?to=%2Fdecks'],
    ['Layouts', '/login?to=%2Flayouts'],
    ['Images', '/login?to=%2Fimages'],
  ] as const) {
    const link = within(main()).getByText(name);
    expect([link.getAttribute('href'), link.getAttribute('aria-disabled')], name).toEqual([to, 'true']);
  }
  expect(within(main()).getByText('Pricing').hasAttribute('aria-disabled')).toBe(false);
  expect(screen.getByRole('link', { name: 'Tuckbox, home' }).getAttribute('href')).toBe('/');
});

test('signed in it says the name, and the links lead where they say', () => {
  show(ANN);
  expect(lines(menuOf(/Ann Lee/))).toEqual(['Account', 'Logout']);
  const hrefs = within(main())
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
  expect(hrefs).toEqual([
    ['Projects', '/decks'],
    ['Layouts', '/layouts'],
    ['Images', '/images'],
    ['Pricing', '/pricing'],
  ]);
});

test.each([
  [{}, 'Community', '/docs#community'],
  [{ chatUrl: 'https://chat.example' }, 'Community chat', 'https://chat.example'],
])('Resources, where the host is %j', (host, label, address) => {
  show(null, host);
  const menu = menuOf(/^Resources/);
  expect(lines(menu)).toEqual(['Documentation', label, 'Blog', 'Board maker']);
  const chat = within(menu).queryByText(label)?.closest('a');
  expect(chat?.getAttribute('href')).toBe(address);
});

test.each([
  ['by the claim', { ...ANN, admin: true }, {}],
  ['by the list of the host', ANN, { admins: ['ann@example.com'] }],
])('an admin %s has three more links, and hides them', (_, user, host) => {
  show(user, host);
  const links = () =>
    within(main())
      .getAllByRole('link')
      .slice(4)
      .map(({ textContent }) => textContent);
  expect(links()).toEqual(['Testing', 'Testing2', 'Admin']);
  fireEvent.click(within(menuOf(/Ann Lee/)).getByText('Hide admin links'));
  expect(links()).toEqual([]);
  fireEvent.click(within(menuOf(/Ann Lee/)).getByText('Show admin links'));
  expect(links()).toHaveLength(3);
});

test('logging out ends the session, goes to Login and loads the page anew', async () => {
  const assign = vi.spyOn(location, 'assign').mockReturnValue(undefined);
  show(ANN);
  await act(async () => fireEvent.click(within(menuOf(/Ann Lee/)).getByText('Logout')));
  await vi.waitUntil(() => assign.mock.calls.length > 0);
  expect(world.endSession).toHaveBeenCalledTimes(1);
  expect(assign).toHaveBeenCalledExactlyOnceWith('/login');
});

test('a logout that fails says so and stays', async () => {
  const assign = vi.spyOn(location, 'assign').mockReturnValue(undefined);
  world.endSession.mockRejectedValueOnce(new Error('down'));
  show(ANN);
  await act(async () => fireEvent.click(within(menuOf(/Ann Lee/)).getByText('Logout')));
  await vi.waitUntil(() => toasts.snapshot().length > 0);
  expect(toasts.snapshot().map(({ message, type }) => [message, type])).toEqual([
    ['That logout did not work properly', 'error'],
  ]);
  expect(assign).not.toHaveBeenCalled();
});

test('a browser that allows no full screen says so', async () => {
  Object.defineProperty(document, 'fullscreenElement', { value: null, configurable: true });
  document.documentElement.requestFullscreen = () => Promise.reject(new TypeError('not allowed'));
  show(null);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Full screen' })));
  expect(toasts.snapshot().map(({ message }) => message)).toEqual([
    'Your browser does not allow full screen here.',
  ]);
});

test.each([
  ['/workspace', 'Projects'],
  ['/cardlist2', 'Projects'],
  ['/flashcards/deck/component', 'Projects'],
  ['/rulebook-maker/deck/book', 'Projects'],
  ['/playtesting/ann/session', 'Projects'],
  ['/upload', 'Images'],
  ['/uploadadmin', undefined],
])('on %s the bar marks %s', (at, area) => {
  show(ANN, {}, at);
  const marked = within(main())
    .getAllByRole('link')
    .filter((link) => link.hasAttribute('data-current') || link.hasAttribute('aria-current'));
  expect(marked.map((link) => link.textContent)).toEqual(area ? [area] : []);
});

test('a guest of a table sees no links that need an account', () => {
  world.guest = { ...ANN, displayName: 'Gus', email: '', providers: [] };
  try {
    show(null);
    for (const name of ['Projects', 'Layouts', 'Images']) {
      expect(within(main()).queryByText(name)).toBeNull();
    }
    expect(within(menuOf(/Account menu/)).getByText('Forget me here')).toBeTruthy();
    expect(screen.getByRole('button', { name: /Gus/ })).toBeTruthy();
  } finally {
    world.guest = null;
  }
});
