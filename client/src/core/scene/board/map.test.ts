import { describe, expect, test } from 'vitest';
import { decodeEdges, encodeEdges } from '../../board/edges.ts';
import { decodeTerrain, encodeTerrain, terrainNumber, withCells } from '../../board/terrain-data.ts';
import { renameInScene, sourcesInScene } from '../../images/sources.ts';
import { layoutDifferences } from '../changes/diff.ts';
import { mergeLayouts } from '../changes/merge.ts';
import type { Layout } from '../layout.ts';
import { layoutSchema } from '../layout.ts';
import { newLayout } from '../new-layout.ts';
import { cellNamesOf, gridOf, type MapZone, overridesOf } from '../zones/map.ts';
import { newZone, type ZoneOf } from '../zones.ts';
import { freeSymbol, plainTerrain } from './terrain.ts';

function start(): Layout {
  return { ...newLayout('Board'), zones: [newZone('map', 'm', 'Map', { x: 0, y: 0, w: 60, h: 60 })] };
}
const mapOf = (layout: Layout): MapZone => layout.zones[0] as MapZone;

function changed(layout: Layout, recipe: (map: MapZone) => void): Layout {
  const draft = structuredClone(layout);
  recipe(mapOf(draft));
  return draft;
}

const painted = (cells: readonly number[], symbol: string) => (map: MapZone) => {
  const grid = gridOf(map);
  map.data = encodeTerrain(grid, withCells(decodeTerrain(grid, map.data), cells, terrainNumber(symbol)));
};

describe('maps in a layout', () => {
  test('two people paint different cells, add terrains and rename others: all of it stays', () => {
    const base = changed(start(), painted([0, 1, 2], 'A'));
    const mine = changed(base, (map) => {
      painted([1, 10], 'B')(map);
      map.terrains.push(
        plainTerrain({ symbol: 'Z', name: 'Lava', color: '#f00', pattern: 'none', ink: '#000' }),
      );
    });
    const theirs = changed(base, (map) => {
      painted([2, 20], 'C')(map);
      map.cols += 2;
      const [plain] = map.terrains;
      if (plain) plain.name = 'Meadow';
    });
    for (const prefer of ['mine', 'theirs'] as const) {
      const merged = mapOf(mergeLayouts(base, mine, theirs, prefer));
      expect(merged.cols).toBe(11);
      const names = merged.terrains.map(({ name }) => name);
      expect(names).toContain('Lava');
      expect(names).toContain('Meadow');
      const cells = decodeTerrain(gridOf(merged), merged.data);
      const at = (col: number, row: number) => cells[row * merged.cols + col];
      expect(at(0, 0)).toBe(terrainNumber('A'));
      expect(at(1, 0)).toBe(terrainNumber('B'));
      expect(at(2, 0)).toBe(terrainNumber('C'));
      // Cells 10 and 20 of nine columns.
      expect(at(1, 1)).toBe(terrainNumber('B'));
      expect(at(2, 2)).toBe(terrainNumber('C'));
    }
  });

  test('a terrain that one side deleted is gone, unless the other changed it', () => {
    const base = start();
    const mine = changed(base, (map) => {
      map.terrains = map.terrains.slice(2);
    });
    const theirs = changed(base, (map) => {
      const [plain] = map.terrains;
      if (plain) plain.color = '#ffffff';
    });
    const merged = mapOf(mergeLayouts(base, mine, theirs, 'theirs'));
    expect(merged.terrains.map(({ name }) => name)).not.toContain('Forest');
    expect(merged.terrains.find(({ name }) => name === 'Plain')?.color).toBe('#ffffff');
  });

  test('a difference says how many cells changed', () => {
    const before = start();
    expect(layoutDifferences(before, changed(before, painted([4], 'A')))).toMatchObject([
      { id: 'm', properties: ['1 cell'] },
    ]);
    expect(layoutDifferences(before, changed(before, painted([4, 5, 6], 'A')))[0]?.properties).toEqual([
      '3 cells',
    ]);
  });

  test('a map that was stored before rims could be cut has whole cells', () => {
    const { rims, ...stored } = mapOf(start());
    expect(rims).toBe('whole');
    const read = layoutSchema.parse({ ...start(), zones: [stored] });
    expect(mapOf(read).rims).toBe('whole');
  });

  test('data of other characters, or too many terrains, is refused', () => {
    const data = changed(start(), (map) => {
      map.data = '3A_';
    });
    expect(layoutSchema.safeParse(data).success).toBe(false);
    const terrains = changed(start(), (map) => {
      const [one] = map.terrains;
      if (one) map.terrains = Array.from({ length: 65 }, () => one);
    });
    expect(layoutSchema.safeParse(terrains).success).toBe(false);
  });

  test('a new terrain takes a symbol that is free', () => {
    const { terrains } = mapOf(start());
    expect(freeSymbol(terrains)).toBe('I');
    expect(freeSymbol(terrains.slice(1))).toBe('A');
  });

  test('a zone of a kind that this version does not know is named in words', () => {
    const stored = { ...start(), zones: [{ ...start().zones[0], kind: 'hologram' }] };
    const fault = layoutSchema.safeParse(stored).error?.issues[0];
    expect(fault?.message).toBe(
      'A zone is of the kind «hologram», which this version of Tuckbox does not know: load the page anew, or update the server.',
    );
  });
});

describe('pictures of terrains', () => {
  test('a map that was stored before terrains had pictures has none', () => {
    const map = mapOf(start());
    const terrains = map.terrains.map(({ source, fit, ...stored }) => {
      expect([source, fit]).toEqual(['', 'cover']);
      return stored;
    });
    const read = layoutSchema.parse({ ...start(), zones: [{ ...map, terrains }] });
    expect(mapOf(read).terrains).toEqual(map.terrains);
  });

  test('one person gives a terrain a picture, another repaints and renames: all of it stays, and is said', () => {
    const base = changed(start(), painted([0, 1, 2], 'B'));
    const mine = changed(base, (map) => {
      const [, forest] = map.terrains;
      if (forest) forest.source = 'image:a1/Art/woods.png';
    });
    const theirs = changed(base, (map) => {
      painted([3], 'B')(map);
      const [, forest] = map.terrains;
      if (forest) forest.name = 'Woods';
    });
    const merged = mapOf(mergeLayouts(base, mine, theirs, 'mine'));
    expect(merged.terrains[1]).toMatchObject({ name: 'Woods', source: 'image:a1/Art/woods.png' });
    expect(merged.data).toBe(mapOf(theirs).data);
    expect(layoutDifferences(base, mine)[0]?.properties).toHaveLength(1);
  });

  test('are images of the layout: found for credits and archives, and renamed with them', () => {
    const scene = changed(start(), (map) => {
      const [plain, forest] = map.terrains;
      if (plain) plain.source = 'meadow.png';
      if (forest) forest.source = 'image:a1/Art/woods.png';
    });
    expect(sourcesInScene(scene)).toEqual(['meadow.png', 'image:a1/Art/woods.png']);
    const renamed = renameInScene(scene, (source) =>
      source === 'meadow.png' ? 'image:b2/m.png' : undefined,
    );
    expect(sourcesInScene(renamed)).toEqual(['image:b2/m.png', 'image:a1/Art/woods.png']);
  });
});

describe('edges of a map', () => {
  const withEdges = (edges: readonly number[]) => (map: MapZone) => {
    const grid = gridOf(map);
    const kinds = decodeEdges(grid, map.edges);
    for (const edge of edges) kinds[edge] = 1;
    map.edges = encodeEdges(grid, kinds);
  };

  test('a map that was stored before maps had edges has none', () => {
    const { edgeKinds, edges, ...stored } = mapOf(start());
    expect(edgeKinds).toHaveLength(4);
    expect(edges).toBe('');
    const read = layoutSchema.parse({ ...start(), zones: [stored] });
    expect(mapOf(read)).toMatchObject({ edgeKinds: [], edges: '' });
  });

  test('lines of two people and their kinds of edges all stay', () => {
    const base = start();
    const mine = changed(base, (map) => {
      withEdges([0, 1])(map);
      map.edgeKinds.push({ symbol: 'Z', name: 'Hedge', color: '#0a0', width: 1, line: 'solid' });
    });
    const theirs = changed(base, (map) => {
      withEdges([6, 7])(map);
      const [river] = map.edgeKinds;
      if (river) river.width = 3;
    });
    const merged = mapOf(mergeLayouts(base, mine, theirs, 'mine'));
    const kinds = decodeEdges(gridOf(merged), merged.edges);
    expect([0, 1, 6, 7].map((edge) => kinds[edge])).toEqual([1, 1, 1, 1]);
    expect(merged.edgeKinds.map(({ name }) => name)).toContain('Hedge');
    expect(merged.edgeKinds.find(({ name }) => name === 'River')?.width).toBe(3);
  });

  test('cells of other sides take their own edges along in a merge', () => {
    const base = changed(start(), withEdges([0, 1]));
    const mine = changed(base, (map) => {
      map.cells = 'square';
      map.edges = '';
      withEdges([4])(map);
    });
    const theirs = changed(base, withEdges([12]));
    const merged = mapOf(mergeLayouts(base, mine, theirs, 'mine'));
    expect(merged.cells).toBe('square');
    expect(merged.edges).toBe(mapOf(mine).edges);
  });

  test('a difference says how many edges changed', () => {
    const before = start();
    expect(layoutDifferences(before, changed(before, withEdges([4])))[0]?.properties).toEqual(['1 edge']);
  });
});

describe('single cells of a map', () => {
  const own = (at: string, name: string, color = '') => ({ at, name, color });

  test('two people name different cells of one map: both stay, and the difference is said', () => {
    const base = changed(start(), (map) => void map.overrides.push(own('A1', 'Kel')));
    const mine = changed(base, (map) => void map.overrides.push(own('B2', 'Bay')));
    const theirs = changed(base, (map) => {
      const [kel] = map.overrides;
      if (kel) kel.color = '#f00';
      map.overrides.push(own('C3', 'Fort'));
    });
    for (const prefer of ['mine', 'theirs'] as const) {
      const merged = mapOf(mergeLayouts(base, mine, theirs, prefer)).overrides;
      expect(merged.toSorted((a, b) => (a.at < b.at ? -1 : 1))).toEqual([
        own('A1', 'Kel', '#f00'),
        own('B2', 'Bay'),
        own('C3', 'Fort'),
      ]);
    }
    expect(layoutDifferences(base, mine)[0]?.properties).toEqual(['single cells']);
  });

  test('a cell keeps what it has when the map grows, and one beyond the rims shows none', () => {
    const map = changed(start(), (draft) => void draft.overrides.push(own('C4', 'Fort'), own('ZZ9', 'Far')));
    const before = overridesOf(mapOf(map));
    const wider = overridesOf({ ...mapOf(map), cols: 20 });
    expect([...before.values()].map(({ name }) => name)).toEqual(['Fort']);
    expect([[...before.keys()], [...wider.keys()]]).toEqual([[3 * 9 + 2], [3 * 20 + 2]]);
    expect(cellNamesOf(mapOf(map))(3 * 9 + 2)).toBe('Fort');
    expect(cellNamesOf(mapOf(map))(0)).toBe('A1');
  });

  test('a map that was stored before it had any has none, and nonsense is refused', () => {
    const { overrides: _, ...older } = mapOf(start());
    expect(mapOf(layoutSchema.parse({ ...start(), zones: [older] })).overrides).toEqual([]);
    for (const at of ['', 'A0', 'a1', '11', 'A1:B2']) {
      const zones = [{ ...mapOf(start()), overrides: [own(at, '')] }];
      expect(layoutSchema.safeParse({ ...start(), zones }).success).toBe(false);
    }
  });
});

describe('spaces of a layout', () => {
  const space = (links: string[]): Layout => ({
    ...newLayout('Board'),
    zones: [{ ...newZone('space', 's', 'Space', { x: 0, y: 0, w: 9, h: 9 }), links }],
  });
  const linksOf = (layout: Layout) => (layout.zones[0] as ZoneOf<'space'>).links.toSorted();

  test('one that was stored before they had an angle, an order and links lies as it did', () => {
    const [zone] = space([]).zones as [ZoneOf<'space'>];
    const { turning, turn, accepts, holds, order, links, ...older } = zone;
    const read = layoutSchema.parse({ ...newLayout('Board'), zones: [older] });
    expect(read.zones[0]).toEqual(zone);
    expect([turning, turn, accepts, holds, order, links]).toEqual(['usual', 0, [], 0, 0, []]);
    const path = newZone('path', 'p', 'Path', { x: 0, y: 0, w: 9, h: 9 });
    const stored = { ...path, spaces: { count: 3, size: 10, role: 'spot' } };
    const [back] = layoutSchema.parse({ ...newLayout('Board'), zones: [stored] }).zones;
    expect(back).toEqual({ ...path, spaces: { ...path.spaces, count: 3 } });
  });

  test('links that two people make and take away are merged one by one', () => {
    for (const prefer of ['mine', 'theirs'] as const) {
      const merged = mergeLayouts(space(['a', 'b']), space(['a', 'b', 'c']), space(['b', 'd']), prefer);
      expect(linksOf(merged)).toEqual(['b', 'c', 'd']);
    }
    const [first] = layoutDifferences(space([]), space(['a']));
    expect(first?.properties).toEqual(['links']);
  });
});
