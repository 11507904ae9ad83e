// @vitest-environment happy-dom
/** An invitation, for those who are in the project already and for those who are not. */

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { ShownInvitation } from '../../../data/project/members.ts';
import { Component } from './invitation.tsx';

const server = vi.hoisted(() => ({
  shown: {} as ShownInvitation,
  accept: vi.fn(async () => ({ role: 'translator' as const })),
}));
vi.mock('../../../data/project/members.ts', async (original) => ({
  ...(await original<typeof import('../../../data/project/members.ts')>()),
  readInvitation: async () => server.shown,
  acceptInvitation: server.accept,
}));
vi.mock('../../../data/server/firebase.ts', () => ({ getServices: () => ({ host: {} }) }));

const INVITATION: ShownInvitation = {
  deckName: 'Driftglass',
  invitedBy: 'Ann',
  role: 'translator',
  languages: ['de'],
  expiresAt: 0,
  gains: true,
};

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

async function open(invitation: ShownInvitation): Promise<void> {
  server.shown = invitation;
  const router = createMemoryRouter(
    [
      { path: '/invitations/:owner/:deck/:invitation', Component },
      { path: '/decks/:id', element: <p>The project</p> },
    ],
    { initialEntries: ['/invitations/ann/d/i'] },
  );
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText('Driftglass');
}

test('whoever is not in the project joins it', async () => {
  await open(INVITATION);
  screen.getByText('Ann invites you as translator of German.', { exact: false });
  expect(screen.queryByText('Open the project')).toBeNull();
  await act(async () => fireEvent.click(screen.getByText('Join as translator')));
  expect(server.accept).toHaveBeenCalledExactlyOnceWith({ ownerId: 'ann', deckId: 'd', invitation: 'i' });
  await screen.findByText('The project');
});

test('a member who gets more by it can take it, or open the project as it is', async () => {
  await open({ ...INVITATION, held: 'viewer' });
  screen.getByText('Ann invites you as translator of German; so far you are a viewer.', { exact: false });
  screen.getByText('Open the project');
  await act(async () => fireEvent.click(screen.getByText('Accept')));
  expect(server.accept).toHaveBeenCalledTimes(1);
  await screen.findByText('The project');
});

test('a member who gets nothing by it is told so', async () => {
  await open({ ...INVITATION, held: 'editor', gains: false });
  screen.getByText('You are in this project already, as an editor', { exact: false });
  expect(screen.queryByText('Accept')).toBeNull();
  screen.getByText('Open the project');
});
