// @vitest-environment happy-dom
/** Links of a space as they are made in its form. */

import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MAX_SPACE_LINKS } from '../../../../../core/board/space.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import type { SpaceZone } from '../../../../../core/scene/zones/space.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../../state/editor-store.ts';
import { findZone } from '../../state/zones/zones.ts';
import { SpaceLinkFields } from './space-link-fields.tsx';

afterEach(cleanup);

const BOX = { x: 0, y: 0, w: 9, h: 9 };

/** The form of a space that has these links, on a board with one more than it can have. @param back links of the others */
function open(links: readonly string[], back: readonly string[] = []): EditorModel {
  const others = Array.from({ length: MAX_SPACE_LINKS + 1 }, (_, at) => ({
    ...newZone('space', `o${at}`, `Other ${at}`, BOX),
    links: [...back],
  }));
  const zone = { ...newZone('space', 's', 'Start', BOX), links: [...links] };
  const model = new EditorModel({ ...newLayout('Board'), zones: [zone, ...others] });
  render(
    <MantineProvider>
      <SpaceLinkFields zone={zone} model={model} />
    </MantineProvider>,
  );
  return model;
}

test('links to spaces that are gone leave room for others', () => {
  const model = open(Array.from({ length: MAX_SPACE_LINKS }, (_, at) => `gone ${at}`));
  fireEvent.change(screen.getByLabelText('Join to'), { target: { value: 'o3' } });
  expect((findZone(model.state.scene, 's') as SpaceZone).links).toEqual(['o3']);
});

test('a space with as many links as it may have offers no more', () => {
  open(Array.from({ length: MAX_SPACE_LINKS }, (_, at) => `o${at}`));
  expect(screen.queryByLabelText('Join to')).toBeNull();
});

test('spaces that name each other are parted at once, as one undo', () => {
  const model = open(['o1', 'o2'], ['s']);
  fireEvent.click(screen.getByRole('button', { name: 'Part from Other 1' }));
  const linksOf = (id: string) => (findZone(model.state.scene, id) as SpaceZone).links;
  expect([linksOf('s'), linksOf('o1'), linksOf('o2')]).toEqual([['o2'], [], ['s']]);
  model.undo();
  expect([linksOf('s'), linksOf('o1')]).toEqual([['o1', 'o2'], ['s']]);
});
