import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rect } from '../../scene/display/matrix.ts';
import { NearPlaces } from '../../testing/near-places.ts';
import { ImpositionError } from '../error.ts';
import { panelsOf } from '../folding/fold.ts';
import { impose } from '../job/impose.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings, pageSize, printSettingsSchema } from '../settings.ts';
import { cellsOf } from '../sheets/cells.ts';
import { marginsOf } from '../sheets/grid.ts';
import type { Line } from '../sheets/marks.ts';
import type { CardSet, Placement, Sheet, SheetPlan } from '../sheets/sheet.ts';
import { NAME_ROOM_MM, roomOf, type Tiles, tilesOn } from './tile.ts';

const SLACK = 1e-6;
const INCH = 25.4;
const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });

function settingsWith(change: {
  page?: Partial<PrintSettings['page']>;
  backs?: Partial<PrintSettings['backs']>;
  boards?: Partial<PrintSettings['boards']>;
  marks?: Partial<PrintSettings['marks']>;
  rest?: Partial<PrintSettings>;
}): PrintSettings {
  const base = DEFAULT_PRINT_SETTINGS;
  return printSettingsSchema.parse({
    ...base,
    ...change.rest,
    page: { ...base.page, ...change.page },
    backs: { ...base.backs, ...change.backs },
    boards: { ...base.boards, ...change.boards },
    marks: { ...base.marks, ...change.marks },
  });
}

const settings: fc.Arbitrary<PrintSettings> = fc
  .record({
    size: fc.constantFrom('a4', 'letter', 'a3', 'custom'),
    orientation: fc.constantFrom('portrait', 'landscape'),
    margins: fc.record({
      top: double(0, 20),
      right: double(0, 20),
      bottom: double(0, 20),
      left: double(0, 20),
    }),
    split: fc.constantFrom('overlap', 'tabs'),
    overlap: double(0, 30),
    fold: fc.constantFrom('none', 'two', 'four', 'six'),
    overview: fc.boolean(),
    mode: fc.constantFrom('none', 'separate', 'long-edge', 'short-edge', 'fold'),
    nudgeX: double(-3, 3),
    nudgeY: double(-3, 3),
    kind: fc.constantFrom('none', 'corner', 'full', 'cross'),
    bleed: fc.boolean(),
    ruler: fc.boolean(),
  })
  .map(({ split, overlap, fold, overview, mode, nudgeX, nudgeY, kind, bleed, ruler, ...page }) =>
    settingsWith({
      page: { ...page, width: 180, height: 260 } as Partial<PrintSettings['page']>,
      boards: { split, overlap, fold, overview } as Partial<PrintSettings['boards']>,
      backs: { mode, nudgeX, nudgeY } as Partial<PrintSettings['backs']>,
      marks: { kind } as Partial<PrintSettings['marks']>,
      rest: { bleed, ruler },
    }),
  );

const squares = fc.option(
  fc.record({ x: double(0, 30), y: double(0, 30), side: double(10, 50) }).map(({ x, y, side }) =>
    cellsOf(
      Array.from({ length: 400 }, (_, at) => ({
        x: x + (at % 20) * side,
        y: y + Math.floor(at / 20) * side,
        w: side,
        h: side,
      })),
    ),
  ),
  { nil: undefined },
);
const boards: fc.Arbitrary<CardSet> = fc.record({
  size: fc.record({ w: double(60, 1_000), h: double(60, 1_000) }),
  bleed: fc.constantFrom(0, 3.175),
  copies: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 }),
  hasBacks: fc.boolean(),
  cells: squares,
});

const bottomOf = ({ y, h }: Rect): number => y + h;
const rightOf = ({ x, w }: Rect): number => x + w;
const overlapOf = ({ boards: { split, overlap } }: PrintSettings): number =>
  split === 'tabs' ? Math.min(2, overlap) : overlap;

/** Runs `check` on every split that is possible. */
function forTiles(check: (set: CardSet, how: PrintSettings, made: Tiles) => void): void {
  fc.assert(
    fc.property(boards, settings, (set, how) => {
      for (const orientation of ['portrait', 'landscape'] as const) {
        const made = tilesOn(set, how, orientation);
        if (made) check(set, how, made);
      }
    }),
    { numRuns: 150 },
  );
}

/** Runs `check` on every plan that goes over several pages. */
function forPlans(check: (set: CardSet, how: PrintSettings, plan: SheetPlan) => void): void {
  fc.assert(
    fc.property(boards, settings, (set, how) => {
      let plan: SheetPlan;
      try {
        plan = impose(set, how);
      } catch (error) {
        expect(error).toBeInstanceOf(ImpositionError);
        return;
      }
      if (plan.tiling) check(set, how, plan);
    }),
    { numRuns: 150 },
  );
}

/** The only card on a sheet. */
function onlyOn(sheet: Sheet | undefined): Placement {
  expect(sheet?.placements).toHaveLength(1);
  return sheet?.placements[0] as Placement;
}

const isTile = ({ name, side }: Sheet): boolean => side === 'front' && name !== 'Overview';

describe('tiles', () => {
  test('what stays of them lies side by side and covers the board', () => {
    forTiles(({ size }, _how, { tiles, columns, rows }) => {
      expect(tiles).toHaveLength(columns * rows);
      for (const [index, { keep }] of tiles.entries()) {
        const [column, row] = [index % columns, Math.floor(index / columns)];
        const before = column > 0 ? tiles[index - 1] : undefined;
        const above = row > 0 ? tiles[index - columns] : undefined;
        expect(keep.x).toBeCloseTo(before ? rightOf(before.keep) : 0, 6);
        expect(keep.y).toBeCloseTo(above ? bottomOf(above.keep) : 0, 6);
        if (column === columns - 1) expect(rightOf(keep)).toBeCloseTo(size.w, 6);
        if (row === rows - 1) expect(bottomOf(keep)).toBeCloseTo(size.h, 6);
      }
    });
  });

  test('neighbours show exactly the same strip, at a fold as elsewhere, and all fit the room with their tabs', () => {
    forTiles((_set, how, { tiles, columns, rows, orientation }) => {
      const room = roomOf(how, orientation);
      for (const [index, { window, tabs, edges }] of tiles.entries()) {
        expect(window.w + tabs.right).toBeLessThanOrEqual(room.w + SLACK);
        expect(window.h + tabs.bottom).toBeLessThanOrEqual(room.h + SLACK);
        const next = index % columns < columns - 1 ? tiles[index + 1] : undefined;
        if (next) expect(rightOf(window) - next.window.x).toBeCloseTo(overlapOf(how), 6);
        const below = index < columns * (rows - 1) ? tiles[index + columns] : undefined;
        if (below) expect(bottomOf(window) - below.window.y).toBeCloseTo(overlapOf(how), 6);
        const tab = how.boards.split === 'tabs' ? how.boards.overlap - overlapOf(how) : 0;
        expect(tabs.right).toBeCloseTo(edges.right === 'seam' || edges.right === 'fold' ? tab : 0, 6);
        expect(tabs.bottom).toBeCloseTo(edges.bottom === 'seam' || edges.bottom === 'fold' ? tab : 0, 6);
      }
    });
  });

  test('no tile stays on two panels, and its edges know folds from slits', () => {
    forTiles(({ size }, how, { tiles }) => {
      const panels = panelsOf(how.boards.fold, size);
      for (const { keep, edges } of tiles) {
        const on = panels.filter(
          (panel) =>
            keep.x >= panel.x - SLACK &&
            keep.y >= panel.y - SLACK &&
            rightOf(keep) <= rightOf(panel) + SLACK &&
            bottomOf(keep) <= bottomOf(panel) + SLACK,
        );
        expect(on).toHaveLength(1);
        const [panel] = on as [Rect];
        const atPanelsEnd = Math.abs(rightOf(keep) - rightOf(panel)) < SLACK;
        expect(edges.right === 'seam').toBe(!atPanelsEnd);
        expect(edges.right === 'trim').toBe(Math.abs(rightOf(keep) - size.w) < SLACK);
      }
    });
  });

  test('names go along the rows, as they are printed', () => {
    const made = tilesOn(
      { size: { w: 500, h: 400 }, bleed: 0, cells: undefined },
      DEFAULT_PRINT_SETTINGS,
      'portrait',
    );
    expect(made?.tiles.map(({ name }) => name)).toEqual(['A1', 'A2', 'A3', 'B1', 'B2', 'B3']);
    expect(made?.tiles[1]?.next).toEqual({ right: 'A3', bottom: 'B2' });
  });

  test('seams go between cells where one pitch is enough', () => {
    const side = 38;
    const cells = cellsOf(
      Array.from({ length: 120 }, (_, at) => ({
        x: (at % 12) * side,
        y: Math.floor(at / 12) * side,
        w: side,
        h: side,
      })),
    );
    const made = tilesOn(
      { size: { w: 12 * side, h: 10 * side }, bleed: 0, cells },
      DEFAULT_PRINT_SETTINGS,
      'portrait',
    );
    expect(made?.cut).toBe(0);
    for (const { keep } of made?.tiles ?? []) {
      for (const edge of [keep.x, rightOf(keep), keep.y, bottomOf(keep)]) {
        expect(Math.abs(edge / side - Math.round(edge / side))).toBeLessThan(SLACK);
      }
    }
  });
});

describe('sheets of tiles', () => {
  test('every copy of every board comes tile by tile, between the margins, with its name above it', () => {
    forPlans((set, how, plan) => {
      const margins = marginsOf(how);
      const fronts = plan.sheets.filter(isTile);
      const { columns, rows } = plan.tiling ?? { columns: 0, rows: 0 };
      const wanted = set.copies.flatMap((count, card) =>
        Array.from({ length: count }, (_, copy) =>
          Array.from({ length: columns * rows }, () => `${card}.${copy}`),
        ),
      );
      expect(fronts.map(({ placements: [one] }) => `${one?.card}.${one?.copy}`)).toEqual(wanted.flat());
      expect(plan.cards).toBe(set.copies.reduce((sum, count) => sum + count, 0));
      for (const { placements, labels = [], name } of fronts) {
        const clip = placements[0]?.clip as Rect;
        expect(clip.x).toBeGreaterThanOrEqual(margins.left - SLACK);
        expect(rightOf(clip)).toBeLessThanOrEqual(plan.w - margins.right + SLACK);
        expect(clip.y).toBeGreaterThanOrEqual(Math.max(margins.top, NAME_ROOM_MM) - SLACK);
        expect(bottomOf(clip)).toBeLessThanOrEqual(plan.h - margins.bottom + SLACK);
        const label = labels.find(({ text }) => text === name);
        expect(bottomOf(label?.box as Rect)).toBeLessThanOrEqual(clip.y);
      }
    });
  });

  test('crosses in the overlaps come to lie on one another, and on no page beyond what it prints', () => {
    forPlans((set, how, plan) => {
      const crossed = impose(set, { ...how, boards: { ...how.boards, crosses: true } });
      const plain = impose(set, { ...how, boards: { ...how.boards, crosses: false } });
      const { columns = 0, rows = 0 } = plan.tiling ?? {};
      const fronts = crossed.sheets.filter(isTile).slice(0, columns * rows);
      const before = plain.sheets.filter(isTile);
      // Lines of the crosses, on the card.
      const added = fronts.map(({ marks, placements: [one] }, index) => {
        const old = new Set((before[index]?.marks ?? []).map((line) => JSON.stringify(line)));
        const own = marks.filter((line) => !old.has(JSON.stringify(line)));
        const clip = one?.clip as Rect;
        // A level line and an upright one make a cross.
        return own.flatMap((across, at) => {
          const down = own[at + 1];
          if (at % 2 === 1 || !down) return [];
          return {
            x: down.x1 - (one?.x ?? 0),
            y: across.y1 - (one?.y ?? 0),
            inside: [across, down].every(
              ({ x1, y1, x2, y2 }) =>
                Math.min(x1, x2) >= clip.x - SLACK &&
                Math.max(x1, x2) <= rightOf(clip) + SLACK &&
                Math.min(y1, y2) >= clip.y - SLACK &&
                Math.max(y1, y2) <= bottomOf(clip) + SLACK,
            ),
          };
        });
      });
      if (how.boards.split === 'tabs' || how.boards.overlap === 0) return expect(added.flat()).toEqual([]);
      // Strips of thousandths of a millimetre, where places below cannot be told apart.
      if (how.boards.overlap < 0.01) return;
      const places = new NearPlaces(1e-3);
      const seen = new Map<number, number>();
      for (const { x, y, inside } of added.flat()) {
        expect(inside).toBe(true);
        const place = places.nameOf(x, y);
        seen.set(place, (seen.get(place) ?? 0) + 1);
      }
      // Each is on two pages, or on one where the seam lies at the end of the strip.
      for (const count of seen.values()) expect(count).toBeLessThanOrEqual(2);
      if (!set.cells) for (const count of seen.values()) expect(count).toBe(2);
      // A board that is printed no times has no pages.
      const printed = set.copies.some((count) => count > 0);
      if (how.boards.fold === 'none' && columns * rows > 1 && printed) expect(seen.size).toBeGreaterThan(0);
    });
  });

  test('no orientation of the page takes fewer pages', () => {
    forPlans((set, how, plan) => {
      const pages = (['portrait', 'landscape'] as const).flatMap(
        (orientation) => tilesOn(set, how, orientation)?.tiles.length ?? [],
      );
      const { columns = 0, rows = 0 } = plan.tiling ?? {};
      expect(columns * rows).toBe(Math.min(...pages));
    });
  });

  test('the overview comes first, whole, on its own paper', () => {
    forPlans(({ size, copies }, how, plan) => {
      const first = plan.sheets[0];
      const shown = how.boards.overview && copies.some((count) => count > 0);
      expect(first?.name === 'Overview').toBe(shown);
      if (!shown) return;
      const { x, y, scale = 1 } = onlyOn(first);
      expect(x).toBeGreaterThanOrEqual(-SLACK);
      expect(y).toBeGreaterThanOrEqual(-SLACK);
      expect(x + size.w * scale).toBeLessThanOrEqual(plan.w + SLACK);
      expect(y + size.h * scale).toBeLessThanOrEqual(plan.h + SLACK);
      expect(plan.sheets.filter(({ name }) => name === 'Overview')).toHaveLength(1);
    });
  });

  test('behind a tile lies the same part of the back, mirrored: from W − x1 to W − x0', () => {
    forPlans((set, how, plan) => {
      const { mode, nudgeX, nudgeY } = how.backs;
      if (!set.hasBacks || (mode !== 'long-edge' && mode !== 'short-edge')) return;
      const { w, h } = set.size;
      const standing = plan.h >= plan.w;
      const aboutUpright = mode === 'long-edge' ? standing : !standing;
      expect(plan.papers * 2).toBe(plan.sheets.length);
      for (const [index, sheet] of plan.sheets.entries()) {
        if (!isTile(sheet)) continue;
        const front = onlyOn(sheet);
        const behind = plan.sheets[index + 1];
        const back = onlyOn(behind);
        expect([behind?.side, back.card, back.copy]).toEqual(['back', front.card, front.copy]);
        expect(behind?.labels?.map(({ text }) => text)).toEqual([`${sheet.name} back`]);
        const from = front.clip as Rect;
        const to = back.clip as Rect;
        // The same place of the paper, seen from its other side.
        expect(to.x - nudgeX).toBeCloseTo(aboutUpright ? plan.w - rightOf(from) : from.x, 6);
        expect(to.y - nudgeY).toBeCloseTo(aboutUpright ? from.y : plan.h - bottomOf(from), 6);
        const shownOfFront = { x0: from.x - front.x, x1: rightOf(from) - front.x, y0: from.y - front.y };
        // Stood on its head when the paper is turned about a level line.
        const x0 = back.turn === 180 ? back.x + w - rightOf(to) : to.x - back.x;
        const y0 = back.turn === 180 ? back.y + h - bottomOf(to) : to.y - back.y;
        expect(back.turn).toBe(aboutUpright ? 0 : 180);
        expect(x0).toBeCloseTo(w - shownOfFront.x1, 6);
        expect(y0).toBeCloseTo(shownOfFront.y0, 6);
        expect(to.w).toBeCloseTo(from.w, 6);
      }
    });
  });

  test('solid marks lie on cuts, dashed ones where the next page begins', () => {
    forPlans((_set, how, plan) => {
      for (const sheet of plan.sheets.filter(isTile)) {
        const tiles = tilesOn(_set, how, plan.w > plan.h ? 'landscape' : 'portrait')?.tiles ?? [];
        const tile = tiles.find(({ name }) => name === sheet.name);
        if (!tile) throw new Error('no such tile');
        const { x, y } = onlyOn(sheet);
        const { keep, edges } = tile;
        const xs = [x + keep.x, x + rightOf(keep)];
        const ys = [y + keep.y, y + bottomOf(keep)];
        const isOn = (line: Line): boolean =>
          line.x1 === line.x2
            ? xs.some((at) => Math.abs(at - line.x1) < SLACK)
            : ys.some((at) => Math.abs(at - line.y1) < SLACK);
        for (const line of sheet.folds) expect(isOn(line)).toBe(true);
        // The outlines of tabs are cuts too.
        if (tile.tabs.right + tile.tabs.bottom === 0)
          for (const line of sheet.marks) expect(isOn(line)).toBe(true);
        const dashed = sheet.folds.filter(({ x1, x2 }) => x1 === x2);
        if (edges.right === 'trim' || edges.right === 'slit') expect(dashed).toEqual([]);
        for (const { x1 } of dashed) expect(x1).toBeCloseTo(xs[1] ?? Number.NaN, 6);
      }
    });
  });

  test('a board that fits the page the other way round is not split', () => {
    const plan = impose(
      { size: { w: 280, h: 190 }, bleed: 0, copies: [1], hasBacks: false },
      DEFAULT_PRINT_SETTINGS,
    );
    expect([plan.w, plan.h, plan.tiling, plan.sheets.length]).toEqual([297, 210, undefined, 1]);
  });

  test('18 × 18 inches on A4: six pages, and as many papers as pages with the overview', () => {
    const set = { size: { w: 18 * INCH, h: 18 * INCH }, bleed: 0, copies: [1], hasBacks: false };
    const plan = impose(set, DEFAULT_PRINT_SETTINGS);
    expect(plan.tiling).toEqual({ columns: 3, rows: 2, cut: 0, otherwise: 6 });
    expect([plan.sheets.length, plan.papers]).toEqual([7, 7]);
    const quad = impose(set, settingsWith({ page: { size: 'a3' }, boards: { fold: 'four' } }));
    expect([quad.tiling?.columns, quad.tiling?.rows]).toEqual([2, 2]);
  });

  test('pages without room beside the overlap are refused with a way out', () => {
    const set = { size: { w: 300, h: 300 }, bleed: 0, copies: [1], hasBacks: false };
    const narrow = settingsWith({
      page: { size: 'custom', width: 40, height: 60 },
      boards: { overlap: 30 },
    });
    expect(() => impose(set, narrow)).toThrow(/too little room.*smaller margins or overlap/);
    expect(() => impose({ ...set, copies: [2_000] }, DEFAULT_PRINT_SETTINGS)).toThrow(
      /2000 cards are too many.*Check the copies/,
    );
  });

  test('a board that folds and fits a page has marks at the ends of its folds, and none on it', () => {
    for (const turn of [0, 90, 180, 270] as const) {
      const set = { size: { w: 180, h: 120 }, bleed: 0, copies: [1], hasBacks: false, boards: true };
      const how = settingsWith({
        page: { turn, size: 'a3' },
        boards: { fold: 'four' },
        marks: { kind: 'corner' },
      });
      const [sheet] = impose(set, how).sheets;
      const { x, y } = onlyOn(sheet);
      const [w, h] = turn % 180 === 0 ? [180, 120] : [120, 180];
      // Three ends of folds, and the end of the slit, which has a cut's mark.
      expect(sheet?.folds).toHaveLength(3);
      for (const { x1, x2, y1, y2 } of sheet?.folds ?? []) {
        if (x1 === x2) expect(x1).toBeCloseTo(x + w / 2, 9);
        else expect(y1).toBeCloseTo(y + h / 2, 9);
        const inside =
          (x1 + x2) / 2 > x && (x1 + x2) / 2 < x + w && (y1 + y2) / 2 > y && (y1 + y2) / 2 < y + h;
        expect(inside).toBe(false);
      }
      const plain = impose({ ...set, boards: false }, how).sheets[0];
      expect(plain?.folds).toEqual([]);
      expect(sheet?.marks).toHaveLength((plain?.marks.length ?? 0) + 1);
    }
  });

  test('older presets are read, and split what they could not print', () => {
    const { boards: _boards, ...old } = DEFAULT_PRINT_SETTINGS;
    expect(printSettingsSchema.parse(old)).toEqual(DEFAULT_PRINT_SETTINGS);
    expect(pageSize(printSettingsSchema.parse(old).page)).toEqual({ w: 210, h: 297 });
  });
});
