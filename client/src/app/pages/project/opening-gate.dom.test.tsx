// @vitest-environment happy-dom
/** A project whose page did not get so far is opened without what may have been too much. */

import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newLayout } from '../../../core/scene/new-layout.ts';
import type { Card, Component, WithId } from '../../../data/documents/documents.ts';
import { CALM_MS, chooseWithout, NOTHING, SETTLING_MS, useWithout } from '../../../data/opening.ts';
import { useComputedCards } from '../../../data/table/formula/use-computed-cards.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { OpeningGate } from './opening-gate.tsx';

const world = vi.hoisted(() => ({ painted: vi.fn(() => new Promise<never>(() => undefined)) }));
vi.mock('../../painting/renderer.ts', () => ({ sharedRenderer: () => ({ render: world.painted }) }));
vi.mock('../../painting/use-near.ts', () => ({ useNear: () => true }));

const CARDS: readonly WithId<Card>[] = [{ id: '1', order: 0, copies: 1, cells: {} }];
const COMPONENT: Pick<Component, 'columns' | 'copiesColumn'> = {
  columns: [{ key: 'f', name: 'F', type: 'formula', formula: '1 + 1' }],
};

function Project() {
  const without = useWithout();
  const [card] = useComputedCards(CARDS, COMPONENT) ?? [];
  return (
    <>
      <output>{`formula: ${card?.cells.f || 'none'}; sources: ${!without.sources}`}</output>
      <PaintedCard layout={newLayout('L')} cells={{}} columns={[]} width={60} label="Card" />
    </>
  );
}

const show = () =>
  render(
    <MantineProvider>
      <MemoryRouter>
        <OpeningGate id="d" kind="project" name="Foxes" back="/decks" waiting="Wait">
          <Project />
        </OpeningGate>
      </MemoryRouter>
    </MantineProvider>,
  );

const OPEN = 'formula: 2; sources: true';
const QUESTION = 'This project did not finish opening';
/** The question comes once the mark of the last page has stayed. */
const question = (text: string) => screen.findByText(text, {}, { timeout: 5 * SETTLING_MS });
/** Opens the project on a page that is then gone without a word, as when a browser ends it. */
async function hang(): Promise<void> {
  show();
  await screen.findByText(OPEN);
  const left = Object.entries(localStorage);
  cleanup();
  for (const [key, value] of left) localStorage.setItem(key, value);
}

beforeEach(() => {
  localStorage.clear();
  window.dispatchEvent(new Event('pageshow'));
  // A page that is gone holds nothing.
  const locks = {
    request: (_name: string, _options: unknown, held: () => unknown) => Promise.resolve(held()),
    query: () => Promise.resolve({ held: [] }),
  };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
});
afterEach(() => {
  chooseWithout('d', NOTHING);
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  world.painted.mockClear();
});

test('the page after one that hung asks, and opens without formulas, pictures and sources', async () => {
  await hang();
  expect(world.painted).toHaveBeenCalled();
  world.painted.mockClear();
  show();
  await question(QUESTION);
  expect(screen.queryByText(OPEN)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Open it so' }));
  await screen.findByText('formula: none; sources: false');
  expect(world.painted).not.toHaveBeenCalled();
  // So it stays on the project's other pages, until the page is loaded anew.
  cleanup();
  show();
  await screen.findByText('formula: none; sources: false');
});

test('a layout that no project is around asks for what it has', async () => {
  const open = () =>
    render(
      <MantineProvider>
        <MemoryRouter>
          <OpeningGate id="layout:l" kind="layout" name="Front" back="/layouts" waiting="Wait">
            <Project />
          </OpeningGate>
        </MemoryRouter>
      </MantineProvider>,
    );
  localStorage.setItem('tuckbox-opening:layout:l', '1');
  open();
  await question('This layout did not finish opening');
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Layouts' }).getAttribute('href')).toBe('/layouts');
  fireEvent.click(screen.getByRole('button', { name: 'Open it so' }));
  await screen.findByText('formula: none; sources: false');
  expect(world.painted).not.toHaveBeenCalled();
  chooseWithout('layout:l', NOTHING);
});

test('where pages cannot be told apart, nobody is asked', async () => {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  await hang();
  show();
  await screen.findByText(OPEN);
});

test('what is not to be left out stays, and so does all of it', async () => {
  await hang();
  show();
  await question(QUESTION);
  fireEvent.click(screen.getByRole('checkbox', { name: /Without formulas/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Open it so' }));
  await screen.findByText('formula: 2; sources: false');
  cleanup();

  // The page is loaded anew.
  chooseWithout('d', NOTHING);
  await hang();
  show();
  await question(QUESTION);
  fireEvent.click(screen.getByRole('button', { name: 'Open it as usual' }));
  await screen.findByText(OPEN);
});

test('a page that opened, one that was left, and one that is still there are nothing to ask about', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  await screen.findByText(OPEN);
  expect(localStorage.length).toBe(1);
  act(() => void vi.advanceTimersByTime(CALM_MS));
  expect(localStorage.length).toBe(0);
  cleanup();

  show();
  await screen.findByText(OPEN);
  act(() => void window.dispatchEvent(new Event('pagehide')));
  expect(localStorage.length).toBe(0);
  window.dispatchEvent(new Event('pageshow'));
  cleanup();

  await hang();
  const locks = {
    query: async () => ({ held: [{ name: 'tuckbox-opening:d' }] }),
    request: async () => undefined,
  };
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: locks } }));
  show();
  await screen.findByText(OPEN);
});

test('a page that is left before it begins to open leaves no mark, and has one if it is shown again', async () => {
  window.dispatchEvent(new Event('pagehide'));
  show();
  await screen.findByText(OPEN);
  expect(localStorage.length).toBe(0);
  cleanup();

  window.dispatchEvent(new Event('pageshow'));
  show();
  await screen.findByText(OPEN);
  expect(localStorage.length).toBe(1);
});
