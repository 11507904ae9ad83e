// @vitest-environment happy-dom
/** However the welcome and the news are left, they count as read. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultUserObject } from '../../data/user-object/schema.ts';
import { Introductions } from './introductions.tsx';

const settings = vi.hoisted(() => ({ userObject: {}, ready: true, save: vi.fn(async () => true) }));
const services = vi.hoisted(() => ({ host: {} }));
vi.mock('../../data/server/firebase.ts', () => ({ getServices: () => services }));
vi.mock('../../data/user-object/use-user-object.ts', () => ({ useUserObject: () => settings }));

afterEach(() => {
  cleanup();
  settings.save.mockClear();
});

function show(stored: object): void {
  settings.userObject = { ...defaultUserObject(), ...stored };
  render(
    <MantineProvider>
      <MemoryRouter>
        <Introductions />
      </MemoryRouter>
    </MantineProvider>,
  );
}

const dialog = () => screen.getByRole<HTMLDialogElement>('dialog');
const WAYS: readonly (readonly [string, (button: string) => void])[] = [
  ['its button', (button) => fireEvent.click(screen.getByText(button))],
  ['the cross', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', (button) => fireEvent.keyDown(screen.getByText(button), { key: 'Escape' })],
  ['Escape beside it', () => fireEvent(dialog(), new Event('cancel', { cancelable: true }))],
  ['a click beside it', () => fireEvent.mouseDown(dialog())],
];

describe.each([
  ['the welcome', 'Let’s go', { shownNewUserIntro: false }, { shownNewUserIntro: true }],
  ['the news', 'Got it', { shownNewUserIntro: true, announcementNumber: 3 }, { announcementNumber: 4 }],
] as const)('%s', (_, button, before, stored) => {
  test.each(WAYS)('is read when %s takes it down', (_, leave) => {
    show(before);
    expect(settings.save).not.toHaveBeenCalled();
    leave(button);
    expect(settings.save).toHaveBeenCalledExactlyOnceWith(stored);
  });
});

test.each([
  [{}, 'Community', '/docs#community'],
  [{ chatUrl: 'https://chat.example' }, 'Community chat', 'https://chat.example'],
])('the welcome leads to the community, where the host is %j', (host, label, address) => {
  services.host = host;
  show({ shownNewUserIntro: false });
  expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(address);
});
