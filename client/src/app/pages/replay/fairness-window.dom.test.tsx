// @vitest-environment happy-dom
/** The window that says whether chance was fair. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toHex } from '../../../core/hex.ts';
import type { Replay, Track } from '../../../core/play/replay/replay.ts';
import { sha256 } from '../../../core/play/replay/sha256.ts';
import { Chance } from '../../../core/play/replay/verify.ts';
import { FairnessWindow } from './fairness-window.tsx';

afterEach(cleanup);

test('whoever goes to a draw sees the table there: the window closes', () => {
  const seed = new Uint8Array(32).fill(7);
  const drawn = [{ below: [360, new Chance(seed).below(360)] as const }];
  const track = { seat: null, state: { commitment: '', n: 40 }, patches: [] } as unknown as Track;
  const replay: Replay = {
    version: 1,
    name: 'Friday',
    hands: true,
    times: [],
    tracks: [track],
    fair: {
      seed: toHex(seed),
      commitment: toHex(sha256(seed)),
      decided: [{ n: 42, by: 0, verb: 'spin', from: 0, count: 1, drawn }],
    },
  };
  const [onClose, onGo] = [vi.fn(), vi.fn()];
  render(<FairnessWindow replay={replay} open onClose={onClose} onGo={onGo} />, { wrapper: MantineProvider });
  fireEvent.click(screen.getByRole('button', { name: 'Go to act 2' }));
  expect(onGo).toHaveBeenCalledExactlyOnceWith(2);
  expect(onClose).toHaveBeenCalledOnce();
});
