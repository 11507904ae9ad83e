import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { undocumented } from '../testing/tts-format.ts';
import { chooseGrid } from './grid.ts';
import { rebaseUrls } from './rebase-tool.ts';
import { readSave, saveFaults, saveSchema, type TtsObject, type TtsSave } from './save.ts';
import { playingCardsEntries, screentopEntries, tabletopiaEntries } from './sets.ts';
import {
  DEFAULT_SIMULATOR_SETTINGS,
  newSave,
  planSimulator,
  type SimulatorSettings,
  type TablePart,
} from './simulator.ts';
import { nextKey, updateSave } from './update.ts';

const columns = [
  { key: 'n', name: 'Name' },
  { key: 'd', name: 'Text' },
  { key: 't', name: 'Tags' },
];
const ownBack = (): Layout => {
  const layout = newLayout('back');
  const zone = newZone('text', 't', 'T', { x: 0, y: 0, w: 20, h: 10 });
  zone.bindings = { text: { mode: 'column', column: 'n' } };
  layout.zones = [zone];
  return layout;
};

function deck(
  id: string,
  names: readonly string[],
  copies: readonly number[] = [],
  rest: Partial<TablePart> = {},
): TablePart {
  return {
    id,
    name: `Deck ${id}`,
    layout: newLayout('front'),
    back: newLayout('back'),
    columns,
    cards: names.map((name, index) => ({
      row: { cells: { n: name, d: `**${name}** strikes<br/>twice`, t: 'a, b' } },
      copies: copies[index] ?? 1,
    })),
    cardIds: names.map((name) => `${id}-${name}`),
    as: 'deck',
    fields: { nickname: 'n', description: 'd', gmNotes: 't', tags: 't', lua: 'd' },
    ...rest,
  };
}

const url = (file: string): string => `https://host.example/x/${file}`;
const plan = (parts: readonly TablePart[], settings: Partial<SimulatorSettings> = {}, firstKey = 1) =>
  planSimulator(parts, { ...DEFAULT_SIMULATOR_SETTINGS, ...settings }, url, firstKey);

/** Every card of a save, wherever it lies. */
function cardsOf(objects: readonly TtsObject[]): TtsObject[] {
  return objects.flatMap((object) => [
    ...(object.CardID !== undefined ? [object] : []),
    ...cardsOf(object.ContainedObjects ?? []),
  ]);
}

/** A save that the game accepts: the documented shape, with consistent content. */
function expectSound(save: TtsSave): void {
  expect(saveSchema.safeParse(save).error).toBeUndefined();
  expect(saveFaults(save)).toEqual([]);
  const guids = JSON.stringify(save).match(/"GUID":"[^"]*"/g) ?? [];
  expect(new Set(guids).size).toBe(guids.length);
}

describe('grids', () => {
  test.each([
    [70, 160, [10, 7]],
    [48, 190, [8, 6]],
    [40, 204, [8, 5]],
    [24, 270, [6, 4]],
  ])('%i poker cards at %i dpi', (cards, dpi, [columns, rows]) => {
    const grid = chooseGrid({ w: 63.5, h: 88.9 }, cards, dpi);
    expect(grid.columns * grid.rows).toBeGreaterThanOrEqual((columns ?? 0) * (rows ?? 0));
    expect(grid.dpi).toBeGreaterThanOrEqual(dpi - 0.5);
  });

  test('never beyond the game’s limits, never more cells than cards need', () => {
    const side = fc.double({ min: 20, max: 200, noNaN: true });
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 50, max: 600 }),
        (w, h, cards, dpi) => {
          const grid = chooseGrid({ w, h }, cards, dpi);
          expect(grid.columns).toBeLessThanOrEqual(10);
          expect(grid.rows).toBeLessThanOrEqual(7);
          expect(grid.columns * grid.cellWidth).toBeLessThanOrEqual(4096);
          expect(grid.rows * grid.cellHeight).toBeLessThanOrEqual(4096);
          expect((grid.columns - 1) * grid.rows).toBeLessThan(cards);
          expect(Math.abs(grid.cellWidth / grid.cellHeight - w / h)).toBeLessThan(0.06 * (w / h) + 0.02);
        },
      ),
    );
  });
});

describe('Tabletop Simulator', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[A-Z][a-z]{1,8}$/), { minLength: 1, maxLength: 90 });
  const how = fc.record({
    pictures: fc.constantFrom('sheets' as const, 'single' as const),
    hidden: fc.constantFrom('back' as const, 'blank' as const),
    dpi: fc.integer({ min: 100, max: 350 }),
  });

  test('every card resolves, has its row’s name, and is there as often as the list says', () => {
    fc.assert(
      fc.property(
        names,
        fc.array(fc.integer({ min: 0, max: 3 })),
        how,
        fc.boolean(),
        (list, copies, settings, own) => {
          const part = deck('a', list, copies, own ? { back: ownBack() } : {});
          const made = plan([part], settings);
          const save = newSave(made, 'Game');
          expectSound(save);
          expect(undocumented(save)).toEqual([]);
          const counted = new Map<string, number>();
          const files = new Map(made.images.map((entry) => [url(entry.name), entry.painting]));
          for (const card of cardsOf(save.ObjectStates)) {
            counted.set(card.Nickname ?? '', (counted.get(card.Nickname ?? '') ?? 0) + 1);
            const id = card.CardID ?? 0;
            const sheet = card.CustomDeck?.[String(Math.floor(id / 100))];
            const painting = files.get(sheet?.FaceURL ?? '');
            // The slot shows the card that the object is named for.
            expect(painting?.items[id % 100]?.row.cells.n).toBe(card.Nickname);
            expect(card.Description).toBe(`${card.Nickname} strikes\ntwice`);
            expect([card.GMNotes, card.Tags]).toEqual(['a, b', ['a', 'b']]);
            // A script is taken as it is written.
            expect(card.LuaScript).toBe(`**${card.Nickname}** strikes<br/>twice`);
            const back = files.get(sheet?.BackURL ?? '');
            expect(back).toBeDefined();
            if (sheet?.UniqueBack) expect(back?.items[id % 100]?.row.cells.n).toBe(card.Nickname);
            if (settings.hidden === 'blank' && settings.pictures === 'sheets') {
              // The last slot is the hidden face.
              expect(id % 100).toBeLessThan((sheet?.NumWidth ?? 0) * (sheet?.NumHeight ?? 0) - 1);
            }
          }
          for (const [index, name] of list.entries()) expect(counted.get(name) ?? 0).toBe(copies[index] ?? 1);
          for (const { painting } of made.images) {
            expect(Math.max(painting.width, painting.height)).toBeLessThanOrEqual(4096);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('tokens, tiles, boards and standees have pictures of their own', () => {
    const parts = (['token', 'tile', 'board', 'figurine'] as const).map((as) =>
      deck(as, ['One', 'Two'], [2, 1], { as }),
    );
    const save = newSave(plan(parts), 'Pieces');
    expectSound(save);
    expect(undocumented(save)).toEqual([]);
    expect(save.ObjectStates.map(({ Name }) => Name)).toEqual([
      ...['Custom_Token', 'Custom_Tile', 'Custom_Board', 'Figurine_Custom'].flatMap((name) => [
        name,
        name,
        name,
      ]),
    ]);
    expect(save.ObjectStates[0]?.CustomImage?.CustomToken).toBeDefined();
  });

  test('no object lies on another, however large boards are, in a new save and among what an update adds', () => {
    const pieces = fc.record({
      as: fc.constantFrom('board', 'tile', 'token', 'deck', 'figurine'),
      w: fc.integer({ min: 10, max: 900 }),
      h: fc.integer({ min: 10, max: 900 }),
      count: fc.integer({ min: 1, max: 13 }),
    } as const);
    const apart = (objects: readonly TtsObject[], all: readonly { w: number; h: number }[]) => {
      const boxes = objects.map(({ Transform: at }, index) => {
        const { w = 0, h = 0 } = all[index] ?? {};
        return { x: at?.posX ?? 0, z: at?.posZ ?? 0, w: w / 25.4, h: h / 25.4 };
      });
      for (const [index, one] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
          const across = Math.abs(one.x - other.x) - (one.w + other.w) / 2;
          const along = Math.abs(one.z - other.z) - (one.h + other.h) / 2;
          expect(Math.max(across, along)).toBeGreaterThan(0);
        }
      }
    };
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 6 }), (all) => {
        const parts = all.map(({ as, w, h, count }, index) => {
          const names = Array.from({ length: count }, (_, at) => `C${index} ${at}`);
          const layout = newLayout('front', { preset: 'custom', w, h, shape: 'rect', radius: 0 });
          return deck(`p${index}`, names, [], { as, layout });
        });
        const sizes = new Map(parts.map(({ id, layout: { size } }) => [id, size]));
        const sizeOf = (object: TtsObject) => {
          const memo = object.Memo ?? object.ContainedObjects?.[0]?.Memo ?? '';
          return sizes.get(memo.replace('tuckbox:', '').split('/')[0] ?? '') ?? { w: 0, h: 0 };
        };
        const fresh = newSave(plan(parts), 'Game').ObjectStates;
        apart(fresh, fresh.map(sizeOf));
        const added = updateSave(newSave(plan([]), 'Game'), plan(parts)).save.ObjectStates;
        expect(added).toHaveLength(fresh.length);
        apart(added, added.map(sizeOf));
      }),
      { numRuns: 100 },
    );
  });

  test('spaces of boards and tiles become snap points, below the designer’s own script', () => {
    const parts = (['board', 'tile', 'token'] as const).map((as) => {
      const part = deck(as, ['One'], [1], { as });
      const space = newZone('space', 's', 'Start', { x: 1, y: 1, w: 8, h: 8 });
      return { ...part, layout: { ...part.layout, zones: [...part.layout.zones, space] } };
    });
    const scripts = newSave(plan(parts), 'Board').ObjectStates.map(({ LuaScript }) => LuaScript);
    expect(scripts.map((script) => script?.includes('self.setSnapPoints(points)'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('pieces have tags where a space takes in only some kinds of them, beside the designer’s own', () => {
    const board = deck('board', ['One'], [1], { as: 'board' });
    const space = newZone('space', 's', 'Market', { x: 1, y: 1, w: 8, h: 8 });
    const tagsOf = (accepts: ('card' | 'token')[]) => {
      const layout = { ...board.layout, zones: [{ ...space, accepts }] };
      const save = newSave(
        plan([{ ...board, layout }, deck('t', ['A'], [1], { as: 'token' }), deck('c', ['B'], [1])]),
        'G',
      );
      return save.ObjectStates.map(({ Tags }) => Tags);
    };
    const own = ['a', 'b'];
    expect(tagsOf(['card'])).toEqual([own, [...own, 'Token'], [...own, 'Card']]);
    expect(tagsOf([])).toEqual([own, own, own]);
  });

  test('a save comes back up to date, its table as it was', () => {
    const first = newSave(plan([deck('a', ['Ape', 'Bee', 'Cat', 'Dog'], [2, 1, 1, 1])]), 'Game');
    const [whole] = first.ObjectStates;
    const cards = whole?.ContainedObjects ?? [];
    const [ape1, ape2, bee, cat, dog] = cards;
    if (!whole || !ape1 || !ape2 || !bee || !cat || !dog) throw new Error('no deck');
    // Played: one ape lies open, the bee is in a bag with a stranger, the rest shuffled.
    const open = {
      ...ape2,
      Name: 'CardCustom',
      Transform: { ...whole.Transform, posX: 7, rotZ: 0 },
    } as TtsObject;
    const stranger = { GUID: 'abcdef', Name: 'Die_6', Nickname: 'Die' } as TtsObject;
    const played: TtsSave = {
      ObjectStates: [
        {
          ...whole,
          DeckIDs: [dog, ape1, cat].map(({ CardID }) => CardID ?? 0),
          ContainedObjects: [dog, ape1, cat],
        },
        open,
        { GUID: '00aa00', Name: 'Bag', ContainedObjects: [stranger, { ...bee, Name: 'CardCustom' }] },
      ],
    };
    expect(saveFaults(played)).toEqual([]);
    // The cat is cut, the bee renamed, the elk is new, the dog has another copy.
    const changed = deck('a', ['Ape', 'Bee', 'Dog', 'Elk'], [2, 1, 2, 1]);
    const renamed = {
      ...changed,
      cards: changed.cards.map((card, index) =>
        index === 1 ? { ...card, row: { cells: { ...card.row.cells, n: 'Wasp' } } } : card,
      ),
    };
    const key = nextKey(played);
    expect(key).toBe(2);
    const { save, report } = updateSave(played, plan([renamed], {}, key));
    expectSound(save);
    expect(report).toEqual({ kept: 4, added: 2, removed: 1 });
    const [pile, lying, bag] = save.ObjectStates;
    expect(pile?.ContainedObjects?.map(({ Nickname }) => Nickname)).toEqual(['Dog', 'Ape', 'Dog', 'Elk']);
    expect(pile?.GUID).toBe(whole.GUID);
    expect(lying).toMatchObject({ Nickname: 'Ape', GUID: ape2.GUID, Transform: { posX: 7, rotZ: 0 } });
    expect(bag?.ContainedObjects?.map(({ Nickname }) => Nickname)).toEqual(['Die', 'Wasp']);
    expect(Object.keys(lying?.CustomDeck ?? {})).toEqual(['2']);
    // A second time changes nothing but the numbers of sheets.
    const again = updateSave(save, plan([renamed], {}, nextKey(save)));
    expect(again.report).toEqual({ kept: 6, added: 0, removed: 0 });
    expectSound(again.save);
  });

  test('a deck of another tool is replaced in its place by its name', () => {
    const foreign = newSave(plan([deck('z', ['Old', 'Older'])]), 'x');
    const strip = JSON.stringify(foreign)
      .replace(/"Memo":"[^"]*",?/g, '')
      .replaceAll('Deck z', 'Deck a');
    const save = readSave(strip);
    const { save: updated } = updateSave(save, plan([deck('a', ['New', 'Newer'])], {}, nextKey(save)));
    expectSound(updated);
    expect(updated.ObjectStates).toHaveLength(1);
    expect(cardsOf(updated.ObjectStates).map(({ Nickname }) => Nickname)).toEqual(['New', 'Newer']);
    expect(updated.ObjectStates[0]?.Transform).toEqual(save.ObjectStates[0]?.Transform);
  });

  test('a save that strays from the documented format is caught', () => {
    const save = newSave(plan([deck('a', ['Ape', 'Bee'])]), 'Game');
    const [whole] = save.ObjectStates;
    if (!whole) throw new Error('no deck');
    const { Transform: _place, ...placeless } = whole;
    expect(undocumented({ ...save, ObjectStates: [placeless] })[0]).toMatch(/^ObjectStates\.0\.Transform/);
    expect(undocumented({ ...save, ObjectStates: [{ ...whole, Nick: 'x' }] })[0]).toContain('"Nick"');
    expect(undocumented({ ...save, ObjectStates: [{ ...whole, Name: 'Deck_Custom' }] })[0]).toMatch(/Name/);
    const sheet = { ...whole.CustomDeck?.['1'], NumWidth: 11 };
    expect(undocumented({ ...save, ObjectStates: [{ ...whole, CustomDeck: { '1': sheet } }] })[0]).toMatch(
      /CustomDeck\.1\.NumWidth/,
    );
  });

  test('what is no save is refused with what is wrong', () => {
    expect(() => readSave('no')).toThrow(/not JSON/);
    expect(() => readSave('{}')).toThrow(/ObjectStates/);
    for (const depth of [200, 5_000, 100_000]) {
      const bags = `${'{"ContainedObjects":['.repeat(depth)}${']}'.repeat(depth)}`;
      expect(() => readSave(`{"ObjectStates":[${bags}]}`), String(depth)).toThrow(/too many bags/);
    }
    expect(() => readSave('{"ObjectStates":[{"Name":1}]}')).toThrow(/ObjectStates\.0\.Name/);
  });

  test('addresses can be set later', () => {
    const save = newSave(plan([deck('a', ['Ape', 'Bee'])]), 'Game');
    const moved = rebaseUrls(save, 'https://host.example/x/', 'https://other.example/y/');
    expect(JSON.stringify(moved)).not.toContain('host.example');
    expect(saveFaults(moved)).toEqual([]);
  });
});

describe('other tables', () => {
  const part = deck('a', ['Ape', 'Bee', 'Cat', 'Dog', 'Elk'], [1, 2, 0, 1, 1]);

  test('Tabletopia: one picture a side, all of exactly one size, a shared back once', () => {
    const entries = tabletopiaEntries([part], 150);
    const sizes = entries.flatMap((entry) =>
      entry.kind === 'painting' ? [`${entry.painting.width}x${entry.painting.height}`] : [],
    );
    expect(entries.map(({ name }) => name)).toEqual([
      ...['1 Ape', '2 Bee', '4 Dog', '5 Elk', 'back'].map((name) => `Deck a/${name}.png`),
    ]);
    expect(new Set(sizes).size).toBe(1);
    expect(tabletopiaEntries([{ ...part, back: ownBack() }], 150)).toHaveLength(8);
  });

  test('Screentop: equal cells, blanks at the end, a list of what is where', () => {
    const [grid, back, list] = screentopEntries([part], 150);
    if (grid?.kind !== 'painting' || list?.kind !== 'text') throw new Error('unexpected files');
    const [, columns = '0', rows = '0'] = /\((\d+)x(\d+)\)/.exec(grid.name) ?? [];
    expect(Number(columns) * Number(rows)).toBeGreaterThanOrEqual(4);
    expect(grid.painting.width % Number(columns)).toBe(0);
    expect(grid.painting.height % Number(rows)).toBe(0);
    expect(grid.painting.items).toHaveLength(4);
    expect(back?.name).toBe('Deck a/back.png');
    expect(list.text.split('\r\n').slice(0, 3)).toEqual([
      'sheet,column,row,name,copies',
      '1,1,1,Ape,1',
      '1,2,1,Bee,2',
    ]);
  });

  test('playingcards.io: the table names the pictures that are there', () => {
    const entries = playingCardsEntries([part], 150);
    const table = entries.find(({ name }) => name.endsWith('.csv'));
    const files = new Set(entries.map(({ name }) => name.replace(/^.*\//, '')));
    if (table?.kind !== 'text') throw new Error('no table');
    const lines = table.text.trimEnd().split('\r\n').slice(1);
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      const [, , front = '', back = ''] = line.split(',');
      expect(files.has(front) && files.has(back)).toBe(true);
    }
  });
});
