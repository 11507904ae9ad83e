// @vitest-environment happy-dom
/** The editor lays out in the page itself, unless its user opened without pictures. */

import { render } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { NOTHING, WithoutContext } from '../../data/opening.ts';
import { useRenderedCard } from './use-rendered-card.ts';

const world = vi.hoisted(() => ({
  tryLayOut: vi.fn(() => ({ list: undefined, complete: false })),
  layOut: vi.fn(() => new Promise<never>(() => undefined)),
}));
vi.mock('../../render/render-context.ts', () => ({
  RenderContext: class {
    tryLayOut = world.tryLayOut;
    layOut = world.layOut;
  },
}));

const LAYOUT = newLayout('L');
const ROW = { cells: {} };
const COLUMNS: readonly never[] = [];

function Card() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useRenderedCard(canvas, LAYOUT, ROW, COLUMNS, 4);
  return <canvas ref={canvas} />;
}

test('a card is laid out in the page, and not where it was opened without pictures', () => {
  render(
    <WithoutContext.Provider value={{ ...NOTHING, pictures: true }}>
      <Card />
    </WithoutContext.Provider>,
  );
  expect(world.tryLayOut).not.toHaveBeenCalled();
  expect(world.layOut).not.toHaveBeenCalled();
  render(<Card />);
  expect(world.tryLayOut).toHaveBeenCalled();
  expect(world.layOut).toHaveBeenCalled();
});
