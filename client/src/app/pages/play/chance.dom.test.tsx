// @vitest-environment happy-dom
/** The number of a table's chance: at the table, and again in its replay. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toHex } from '../../../core/hex.ts';
import type { Replay, Track } from '../../../core/play/replay/replay.ts';
import { sha256 } from '../../../core/play/replay/sha256.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { FairnessWindow } from '../replay/fairness-window.tsx';
import { TableChance } from './chance.tsx';

const SEED = new Uint8Array(32).fill(7);
const NUMBER = toHex(sha256(SEED));

afterEach(() => {
  cleanup();
  for (const { id } of toasts.snapshot()) toasts.close(id);
  vi.restoreAllMocks();
});

const said = () => toasts.snapshot().map(({ message }) => message);
const copy = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy number' })));

test('a player reads it at the table and copies it', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  render(<TableChance number={NUMBER} />, { wrapper: MantineProvider });
  expect(screen.queryByText(NUMBER)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Chance of this table' }));
  expect(screen.getByRole('dialog').textContent).toContain(NUMBER);
  await copy();
  expect(write).toHaveBeenCalledExactlyOnceWith(NUMBER);
  expect(said()).toEqual(['The number is on the clipboard.']);
});

test('where copying is not allowed the number is shown', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
  render(<TableChance number={NUMBER} />, { wrapper: MantineProvider });
  fireEvent.click(screen.getByRole('button', { name: 'Chance of this table' }));
  await copy();
  expect(said()).toEqual([`Copy this number: ${NUMBER}`]);
});

test.each([
  ['with open hands', { seed: toHex(SEED), commitment: NUMBER, decided: [] }],
  ['with closed hands, whose seed stays secret', null],
])('the replay shows the same number, %s', (_, fair) => {
  const track = { seat: null, state: { commitment: NUMBER, n: 0 }, patches: [] } as unknown as Track;
  const replay: Replay = {
    version: 1,
    name: 'Friday',
    hands: fair !== null,
    times: [],
    tracks: [track],
    fair,
  };
  render(<FairnessWindow replay={replay} open onClose={() => undefined} onGo={() => undefined} />, {
    wrapper: MantineProvider,
  });
  const term = screen.getByText('Chance of this table', { selector: 'dt' });
  expect(term.parentElement?.querySelector('code')?.textContent).toBe(NUMBER);
  expect(screen.queryByText(toHex(SEED)) !== null).toBe(fair !== null);
});
