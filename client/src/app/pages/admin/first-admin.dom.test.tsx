// @vitest-environment happy-dom
/** The page of somebody who is not an administrator. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FirstAdminState } from '../../../data/admin/admin-calls.ts';
import { NotAdmin } from './first-admin.tsx';

const world = vi.hoisted(() => ({
  state: undefined as FirstAdminState | undefined,
  refusal: undefined as Error | undefined,
  steps: [] as string[],
}));
vi.mock('../../../data/admin/admin-calls.ts', () => ({
  readFirstAdmin: async () => {
    if (!world.state) throw new Error('down');
    return { state: world.state };
  },
  becomeFirstAdmin: async ({ code }: { code: string }) => {
    world.steps.push(code);
    if (world.refusal) throw world.refusal;
  },
}));
vi.mock('../../../data/account/session.ts', () => ({
  freshToken: async (anew: boolean) => void world.steps.push(anew ? 'new token' : 'token'),
}));

beforeEach(() => {
  Object.assign(world, { state: undefined, refusal: undefined, steps: [] });
  window.matchMedia ??= () =>
    ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as never;
});
afterEach(cleanup);

const show = async (state?: FirstAdminState) => {
  world.state = state;
  const { container } = render(
    <MantineProvider>
      <NotAdmin email="ada@example.com" />
    </MantineProvider>,
  );
  await act(async () => {});
  return container;
};
const give = async (code: string) => {
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Become administrator' }));
  await act(async () => {});
};

test('the right code is given, and the token is renewed', async () => {
  await show('open');
  await give('abcd-efgh-jkmn');
  expect(world.steps).toEqual(['abcd-efgh-jkmn', 'new token']);
});

test('a refusal is told in the server’s words, and the token stays', async () => {
  await show('open');
  world.refusal = Object.assign(new Error('Too many wrong codes were given. Wait a minute.'), {
    code: 'functions/resource-exhausted',
  });
  await give('wrong');
  expect(screen.getByText(/Wait a minute/)).toBeTruthy();
  expect(world.steps).toEqual(['wrong']);
});

test('without a code to give the page says who can make an administrator', async () => {
  for (const [state, words] of [
    ['closed', /You are not an administratorWhoever/],
    ['expired', /log has ended.*tuckbox admin grant ada@example.com/],
  ] as const) {
    expect((await show(state)).textContent).toMatch(words);
    expect(screen.queryByLabelText('Code')).toBeNull();
    cleanup();
  }
});

test('a failure is told', async () => {
  await show();
  expect(screen.getByRole('alert').textContent).toContain('down');
});
