// @vitest-environment happy-dom
/** Finding is for everybody who sees a table; replacing is offered, and explained, by what the user may change. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FindReplace, type Searched } from './find-replace.tsx';

const TOO_LONG = 'too long';
vi.mock('../../../../../workers/find/finder.ts', () => ({
  find: async (texts: readonly string[]) =>
    texts.map((text, index) => ({ index, text: text === TOO_LONG ? undefined : `new ${text}` })),
}));

const cell = (key: string, text: string, readOnly: boolean): Searched => ({ id: '1', key, text, readOnly });

function show(cells: readonly Searched[], mayReplace: boolean) {
  const onReplace = vi.fn();
  const props = { open: true, onClose: vi.fn(), onShow: vi.fn(), onReplace, mayReplace };
  render(
    <MantineProvider>
      <FindReplace {...props} cells={async () => cells} />
    </MantineProvider>,
  );
  return onReplace;
}

afterEach(cleanup);

test('who may change nothing is offered to find alone', async () => {
  show([cell('name', 'Fox', true)], false);
  expect(await screen.findByRole('heading', { name: 'Find' })).toBeTruthy();
  expect(screen.queryByLabelText('Replace with')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Replace all' })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Find' }), { target: { value: 'Fox' } });
  fireEvent.click(screen.getByRole('button', { name: 'Find next' }));
  expect(await screen.findByText('1 of 1 cell')).toBeTruthy();
});

test('cells that stay are counted by their reason', async () => {
  const cells = [cell('a', 'Fox', false), cell('b', 'Fox', true), cell('c', TOO_LONG, false)];
  const onReplace = show(cells, true);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Find' }), { target: { value: 'o' } });
  fireEvent.click(screen.getByRole('button', { name: 'Replace all' }));
  const status = await screen.findByText(/changed/);
  expect(status.textContent).toBe(
    '1 cell changed. 1 cell not changed: worked out by a formula, or not yours to change. 1 cell not changed: too long afterwards.',
  );
  expect(onReplace).toHaveBeenCalledWith([{ id: '1', key: 'a', text: 'new Fox' }]);
});
