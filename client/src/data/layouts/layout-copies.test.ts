import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { type LayoutDocument, layoutDocumentSchema, type WithId } from '../documents/documents.ts';
import { outdatedCopies, withChanges } from './layout-copies.ts';

const zone = (id: string, x: number) => newZone('shape', id, id, { x, y: 0, w: 10, h: 10 });
const scene = (...zones: ReturnType<typeof zone>[]) => ({ ...newLayout('Card'), zones });
const document = (id: string, more: object): WithId<LayoutDocument> => ({
  ...layoutDocumentSchema.parse({ name: 'Card', version: 1, updatedAt: 1, ...more }),
  id,
});

test('copies that lack changes of a layout of one’s library are found, and no others', () => {
  const original = document('l', { scene: scene(zone('a', 1), zone('b', 2)) });
  const older = scene(zone('a', 1));
  const copy = (id: string, follows: object | null) => ({ layout: document(id, { scene: older, follows }) });
  const copies = [
    copy('older', { layout: 'l', library: 'ann', scene: older }),
    copy('same', { layout: 'l', library: 'ann', scene: original.scene }),
    copy('other', { layout: 'm', library: 'ann', scene: older }),
    copy('theirs', { layout: 'l', library: 'bob', scene: older }),
    copy('beside', { layout: 'l', scene: older }),
    copy('alone', null),
  ];
  expect(outdatedCopies('ann', original, copies).map(({ layout }) => layout.id)).toEqual(['older']);
});

test('a copy takes changes over, keeps its own and its name', () => {
  const before = scene(zone('a', 1), zone('b', 2));
  const own = { ...scene(zone('a', 5), zone('b', 2)), name: 'Ours' };
  const copy = document('c', { scene: own, follows: { layout: 'l', library: 'ann', scene: before } });
  const merged = withChanges(copy, { ...scene(zone('a', 1), zone('b', 7), zone('c', 3)), name: 'Theirs' });
  expect(merged.name).toBe('Ours');
  expect(merged.zones.map(({ id, x }) => [id, x])).toEqual([
    ['a', 5],
    ['b', 7],
    ['c', 3],
  ]);
  expect(withChanges(document('d', { scene: own }), before)).toEqual(copy.scene);
});
