import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Layout, layoutSchema } from '../layout.ts';
import { newLayout } from '../new-layout.ts';
import { isParent, newZone, type Zone } from '../zones.ts';
import { mergeLayouts } from './merge.ts';

const BOX = { x: 0, y: 0, w: 10, h: 10 };

function start(): Layout {
  const layout = newLayout('Start');
  const group = newZone('container', 'group', 'Group', BOX);
  group.children = [newZone('shape', 'inner', 'Inner', BOX)];
  layout.zones = [newZone('text', 'a', 'A', BOX), newZone('shape', 'b', 'B', BOX), group];
  return layout;
}

function changed(layout: Layout, recipe: (draft: Layout) => void): Layout {
  const draft = structuredClone(layout);
  recipe(draft);
  return draft;
}

const zones = (list: readonly Zone[]): Zone[] =>
  list.flatMap((zone) => (isParent(zone) ? [zone, ...zones(zone.children)] : [zone]));
const find = (layout: Layout, id: string): Zone | undefined =>
  zones(layout.zones).find((zone) => zone.id === id);
const edit = (id: string, change: Partial<Zone>) => (layout: Layout) => {
  Object.assign(find(layout, id) ?? {}, change);
};
const drop = (id: string) => (layout: Layout) => {
  const without = (list: Zone[]): Zone[] =>
    list
      .filter((zone) => zone.id !== id)
      .map((zone) => (isParent(zone) ? { ...zone, children: without(zone.children) } : zone));
  layout.zones = without(layout.zones);
};
const intoGroup = (id: string) => (layout: Layout) => {
  const zone = find(layout, id);
  drop(id)(layout);
  const group = find(layout, 'group');
  if (zone && group && isParent(group)) group.children.push(zone);
  else if (zone) layout.zones.push(zone);
};

describe('languages of a zone', () => {
  const languagesOf = (layout: Layout) => find(layout, 'a')?.languages;
  const both = (from: Zone['languages'], mine: Zone['languages'], theirs: Zone['languages']) => {
    const base = changed(start(), edit('a', from ? { languages: from } : {}));
    const side = (languages: Zone['languages']) =>
      changed(base, (draft) => {
        const zone = find(draft, 'a');
        if (!zone) return;
        if (languages) zone.languages = languages;
        else delete zone.languages;
      });
    return (['mine', 'theirs'] as const).map((prefer) =>
      languagesOf(mergeLayouts(base, side(mine), side(theirs), prefer)),
    );
  };

  test('changes of two languages stay, and of two properties of one', () => {
    expect(both(undefined, { de: { x: 1 } }, { fr: { x: 2 } })).toEqual([
      { de: { x: 1 }, fr: { x: 2 } },
      { de: { x: 1 }, fr: { x: 2 } },
    ]);
    const style = both(
      { de: { style: { size: 9 } } },
      { de: { style: { size: 8 } } },
      { de: { style: { size: 9 }, w: 4 } },
    );
    expect(style).toEqual([{ de: { style: { size: 8 }, w: 4 } }, { de: { style: { size: 8 }, w: 4 } }]);
  });

  test('whoever takes off the last language leaves those that others add', () => {
    const from = { de: { x: 1 } };
    expect(both(from, undefined, { de: { x: 1 }, fr: { x: 2 } })).toEqual([
      { fr: { x: 2 } },
      { fr: { x: 2 } },
    ]);
    expect(both(from, { de: { x: 1 }, fr: { x: 2 } }, undefined)).toEqual([
      { fr: { x: 2 } },
      { fr: { x: 2 } },
    ]);
    expect(both(from, undefined, { de: { x: 1, y: 3 } })).toEqual([undefined, { de: { x: 1, y: 3 } }]);
  });
});

describe('merging layouts', () => {
  test('takes each one’s changes, of one zone as of several', () => {
    const base = start();
    const mine = changed(base, edit('a', { x: 5, name: 'Title' }));
    const theirs = changed(base, (draft) => {
      edit('a', { y: 7 })(draft);
      edit('inner', { w: 3 })(draft);
      draft.name = 'Renamed';
    });
    const merged = mergeLayouts(base, mine, theirs, 'mine');
    expect(find(merged, 'a')).toMatchObject({ x: 5, y: 7, name: 'Title' });
    expect(find(merged, 'inner')).toMatchObject({ w: 3 });
    expect(merged.name).toBe('Renamed');
  });

  test('is told whom to prefer where both changed the same', () => {
    const base = start();
    const [mine, theirs] = [changed(base, edit('a', { x: 1 })), changed(base, edit('a', { x: 2 }))];
    expect(find(mergeLayouts(base, mine, theirs, 'mine'), 'a')?.x).toBe(1);
    expect(find(mergeLayouts(base, mine, theirs, 'theirs'), 'a')?.x).toBe(2);
  });

  test('takes a fill whole when both chose another kind', () => {
    const base = start();
    const mine = changed(base, edit('b', { fill: { kind: 'solid', color: '#ff0000' } }));
    const stops = [
      { at: 0, color: '#000000' },
      { at: 1, color: '#ffffff' },
    ];
    const theirs = changed(base, edit('b', { fill: { kind: 'linear', angle: 0, stops } }));
    expect(find(mergeLayouts(base, mine, theirs, 'theirs'), 'b')?.fill).toEqual({
      kind: 'linear',
      angle: 0,
      stops,
    });
  });

  test('a zone deleted here and changed there stays; deleted on both sides it is gone', () => {
    const base = start();
    const mine = changed(base, drop('a'));
    expect(find(mergeLayouts(base, mine, changed(base, edit('a', { x: 9 })), 'mine'), 'a')?.x).toBe(9);
    expect(find(mergeLayouts(base, mine, changed(base, edit('b', { x: 9 })), 'mine'), 'a')).toBeUndefined();
    expect(find(mergeLayouts(base, mine, changed(base, drop('a')), 'mine'), 'a')).toBeUndefined();
    // Undoing one's own change does not bring back a zone that others deleted.
    const undone = mergeLayouts(base, changed(base, edit('a', { x: 3 })), changed(base, drop('a')), 'theirs');
    expect(find(undone, 'a')).toBeUndefined();
  });

  test('follows a zone into a group, and out of one that is gone', () => {
    const base = start();
    const moved = mergeLayouts(
      base,
      changed(base, intoGroup('a')),
      changed(base, edit('a', { x: 4 })),
      'mine',
    );
    expect(moved.zones.map(({ id }) => id)).toEqual(['b', 'group']);
    expect(find(moved, 'a')?.x).toBe(4);
    const homeless = mergeLayouts(
      base,
      changed(base, intoGroup('a')),
      changed(base, drop('group')),
      'theirs',
    );
    expect(homeless.zones.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  });

  test('keeps both additions and the order that was changed', () => {
    const base = start();
    const mine = changed(base, (draft) => draft.zones.splice(1, 0, newZone('shape', 'm', 'M', BOX)));
    const theirs = changed(base, (draft) => {
      draft.zones.reverse();
      draft.zones.push(newZone('shape', 't', 'T', BOX));
    });
    expect(mergeLayouts(base, mine, theirs, 'theirs').zones.map(({ id }) => id)).toEqual([
      'group',
      'b',
      'a',
      'm',
      't',
    ]);
  });

  test('whatever both do: no zone twice, none lost that anybody changed, both orders of merging agree', () => {
    const change = fc.oneof(
      fc.record({
        kind: fc.constant('edit' as const),
        id: fc.constantFrom('a', 'b', 'inner', 'group'),
        n: fc.nat(9),
      }),
      fc.record({
        kind: fc.constant('drop' as const),
        id: fc.constantFrom('a', 'b', 'inner', 'group'),
        n: fc.nat(9),
      }),
      fc.record({ kind: fc.constant('move' as const), id: fc.constantFrom('a', 'b'), n: fc.nat(9) }),
      fc.record({ kind: fc.constant('add' as const), id: fc.constantFrom('x', 'y', 'z'), n: fc.nat(9) }),
    );
    type Change = { kind: 'edit' | 'drop' | 'move' | 'add'; id: string; n: number };
    const apply = (who: string, changes: readonly Change[]) => (draft: Layout) => {
      for (const { kind, id, n } of changes) {
        if (kind === 'edit') edit(id, { x: n })(draft);
        else if (kind === 'drop') drop(id)(draft);
        else if (kind === 'move') intoGroup(id)(draft);
        else if (!find(draft, who + id))
          draft.zones.splice(n, 0, newZone('shape', who + id, id, { ...BOX, x: n }));
      }
    };
    const several = fc.array(change, { maxLength: 6 });
    fc.assert(
      fc.property(several, several, (left, right) => {
        const base = start();
        const [mine, theirs] = [changed(base, apply('m', left)), changed(base, apply('t', right))];
        const merged = mergeLayouts(base, mine, theirs, 'mine');
        const ids = zones(merged.zones).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const zone of zones(mine.zones)) {
          const was = find(base, zone.id);
          if (!was || was.x !== zone.x) expect(find(merged, zone.id)?.x).toBe(zone.x);
        }
        // The mirrored merge gives the same result, except for the order of zones.
        const mirrored = mergeLayouts(base, theirs, mine, 'theirs');
        const byId = (layout: Layout): unknown[] =>
          zones(layout.zones)
            .map((zone) => (isParent(zone) ? { ...zone, children: [] } : zone))
            .toSorted((one, other) => one.id.localeCompare(other.id));
        if (!zones(base.zones).some(({ id }) => !find(mine, id) || !find(theirs, id)))
          expect(byId(mirrored)).toEqual(byId(merged));
      }),
    );
  });
});

test('fonts are merged cut by cut: a copy has addresses of its own, and both sides may bring some', () => {
  const font = (family: string, url: string, weight = 400) => ({
    ...{ family: `own-${family}`, name: family, url, weight, italic: false },
  });
  const of = (...fonts: ReturnType<typeof font>[]) => ({ ...newLayout('Card'), fonts });
  const base = of(font('a', '/library/a'), font('gone', '/library/g'));
  const copy = of(font('a', '/project/a'), font('gone', '/project/g'), font('mine', '/project/m'));
  const original = of(font('a', '/library/a'), font('a', '/library/bold', 700));
  const merged = mergeLayouts(base, copy, original, 'mine');
  expect(merged.fonts?.map(({ url }) => url).sort()).toEqual(
    ['/library/bold', '/project/a', '/project/g', '/project/m'].sort(),
  );
  expect(
    mergeLayouts(newLayout('Card'), newLayout('Card'), newLayout('Other'), 'mine').fonts,
  ).toBeUndefined();
});

test('entries that two people add together stay as many as a zone can have, and the preferred ones stay', () => {
  const map = newZone('map', 'm', 'Sea', { x: 0, y: 0, w: 60, h: 60 });
  if (map.kind !== 'map') throw new Error('no map');
  const of = (column: string, count: number): Layout => {
    const override = (row: number) => ({ at: `${column}${row + 1}`, name: '', color: '#123456' });
    const overrides = Array.from({ length: count }, (_, row) => override(row));
    return { ...newLayout('L'), zones: [{ ...map, cols: 20, rows: 400, overrides }] };
  };
  const merged = layoutSchema.parse(mergeLayouts(of('A', 0), of('A', 300), of('B', 300), 'mine'));
  const [zone] = merged.zones;
  if (zone?.kind !== 'map') throw new Error('no map');
  expect(zone.overrides).toHaveLength(500);
  expect(zone.overrides.filter(({ at }) => at.startsWith('A'))).toHaveLength(300);
});
