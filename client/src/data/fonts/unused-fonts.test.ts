import type { DocumentReference } from '@sdk/firestore';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import type { Layouts } from '../project/open-project.ts';
import { unusedFonts } from './unused-fonts.ts';

/** Documents by the collection that they are in, and the collections that were read. */
const world = vi.hoisted(() => ({ documents: {} as Record<string, unknown[]>, read: [] as string[] }));
vi.mock('@sdk/firestore', () => ({
  collection: ({ path }: { path: string }, name: string) => `${path}/${name}`,
  getDocs: async (collection: string) => {
    world.read.push(collection);
    const docs = (world.documents[collection] ?? []).map((data, at) => ({ id: `${at}`, data: () => data }));
    return { docs };
  },
}));

const font = (family: string, name: string) => ({
  ...{ family: `own-${family}`, name, url: `/v0/b/x/o/${family}`, weight: 400, italic: false },
});
const LISTED = [font('a', 'Axe'), font('b', 'Bow'), font('c', 'Club')];
function scene(family: string): Layout {
  const zone = newZone('text', 't', 'Title', { x: 0, y: 0, w: 9, h: 9 });
  return { ...newLayout('Card'), fonts: LISTED, zones: [{ ...zone, style: { ...zone.style, family } }] };
}
const component = { name: 'Cards', kind: 'cards', columns: [], layoutId: 'l', order: 0, cardCount: 1 };
const card = (title: string) => ({ order: 0, copies: 1, cells: { 'Title style': title } });
const PROJECT = {
  components: 'components',
  cards: (id: string) => `components/${id}/cards`,
} as unknown as Layouts;
const LIBRARY = {} as Layouts;
let at = 0;
/** A layout of its own in each test: what one needs is remembered. */
const layout = () => ({ id: 'l', path: `layouts-${++at}` }) as DocumentReference;

beforeEach(() => {
  world.documents = {};
  world.read = [];
});

test('families that no text, version or card is set in are unused', async () => {
  const one = layout();
  world.documents[`${one.path}/versions`] = [{ name: '', at: 1, scene: scene('own-b') }];
  expect(await unusedFonts(one, scene('own-a'), LIBRARY)).toEqual(new Set(['own-c']));
  const two = layout();
  world.documents['components'] = [component, { ...component, layoutId: 'another' }];
  world.documents['components/0/cards'] = [card(''), card('{font: club; size: 9}')];
  world.documents['components/1/cards'] = [card('{font: Bow}')];
  expect(await unusedFonts(two, scene('own-a'), PROJECT)).toEqual(new Set(['own-b']));
  // A formula may put the name of any of them together.
  const byFormula = layout();
  const columns = [
    { key: 'style', name: 'Title style', type: 'formula', formula: 'concat("{font: ", rank)' },
  ];
  world.documents['components'] = [{ ...component, columns }];
  expect(await unusedFonts(byFormula, scene('own-a'), PROJECT)).toEqual(new Set());
  // A version of another format may need any of them.
  const three = layout();
  world.documents[`${three.path}/versions`] = [{ name: '', at: 1, scene: { version: 9 } }];
  expect(await unusedFonts(three, scene('own-a'), LIBRARY)).toEqual(new Set());
});

test('nothing is read for a layout that uses its fonts, and once for what others need of it', async () => {
  expect(await unusedFonts(layout(), { ...scene('own-a'), fonts: LISTED.slice(0, 1) }, PROJECT)).toEqual(
    new Set(),
  );
  expect(world.read).toEqual([]);
  const one = layout();
  world.documents[`${one.path}/versions`] = [{ name: '', at: 1, scene: scene('own-b') }];
  const listed = { ...scene('own-a'), fonts: LISTED.slice(0, 2) };
  await unusedFonts(one, listed, LIBRARY);
  await unusedFonts(one, listed, LIBRARY);
  expect(world.read).toEqual([`${one.path}/versions`]);
});
