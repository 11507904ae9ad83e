import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flipLine } from '../sheets/reflect.ts';
import { type BookletPage, type BookletSettings, type BookletSheet, booklet, zine } from './booklet.ts';

const PAGE = { w: 105, h: 148 };
const settings = (change: Partial<BookletSettings> = {}): BookletSettings => ({
  page: PAGE,
  signatureSheets: 0,
  thickness: 0.1,
  flip: 'short-edge',
  ...change,
});

const anySettings = fc.record({
  page: fc.constantFrom(PAGE, { w: 210, h: 210 }, { w: 100, h: 250 }),
  signatureSheets: fc.integer({ min: 0, max: 6 }),
  thickness: fc.constantFrom(0, 0.1, 0.25),
  flip: fc.constantFrom('long-edge' as const, 'short-edge' as const),
});

/** The page behind a half of the front, and its turn as seen with the front upright, once the printer turned the sheet. */
function behind({ back }: BookletSheet, half: 0 | 1, how: BookletSettings): BookletPage {
  const { axis } = flipLine({ w: 2 * how.page.w, h: how.page.h }, how.flip);
  return back[axis === 'upright' ? ((1 - half) as 0 | 1) : half];
}

/** Pages in the order in which a reader turns them. */
function folded(sheets: readonly BookletSheet[], how: BookletSettings): (number | null)[] {
  const signatures = new Set(sheets.map(({ signature }) => signature));
  return [...signatures].flatMap((signature) => {
    const own = sheets.filter((sheet) => sheet.signature === signature);
    const first = own.flatMap((sheet) => [sheet.front[1].page, behind(sheet, 1, how).page]);
    const second = [...own].reverse().flatMap((sheet) => [behind(sheet, 0, how).page, sheet.front[0].page]);
    return [...first, ...second];
  });
}

describe('a booklet', () => {
  test('of 4 to 64 pages folds to 1 … n, blanks at the end, in any signatures and either way of turning', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), anySettings, (pages, how) => {
        const { sheets, blanks } = booklet(pages, how);
        const all = Math.ceil(pages / 4) * 4;
        const expected = Array.from({ length: all }, (_, at) => (at < pages ? at + 1 : null));
        expect(folded(sheets, how)).toEqual(expected);
        expect(blanks).toEqual(Array.from({ length: all - pages }, (_, at) => pages + 1 + at));
      }),
    );
  });

  test('creeps by one thickness for each sheet around, towards the fold, on both sides alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), anySettings, (pages, how) => {
        for (const { sheet, front, back } of booklet(pages, how).sheets) {
          for (const [left, right] of [front, back]) {
            expect(left.x).toBe(sheet * how.thickness);
            expect(how.page.w - right.x).toBeCloseTo(sheet * how.thickness, 9);
          }
        }
      }),
    );
  });

  test('backs stand on their heads only where the sheet is turned about a level line', () => {
    const turns = (flip: BookletSettings['flip']) => booklet(8, settings({ flip })).sheets[0]?.back[0].turn;
    expect([turns('short-edge'), turns('long-edge')]).toEqual([0, 180]);
  });

  test('of one signature is stapled on its outermost sheet; several are sewn', () => {
    const staples = (signatureSheets: number) =>
      booklet(32, settings({ signatureSheets })).sheets.map((sheet) => sheet.staples.length);
    expect(staples(0)).toEqual([2, 0, 0, 0, 0, 0, 0, 0]);
    expect(Math.max(...staples(2))).toBe(0);
  });

  test('refuses no pages and paper too thick for its fold, in words', () => {
    expect(() => booklet(0, settings())).toThrow('1 to 2000 pages');
    expect(() => booklet(64, settings({ thickness: 4 }))).toThrow('smaller signatures');
  });
});

test('a zine has the two sides of each leaf back to back, and its spreads side by side', () => {
  const { pages, slit } = zine({ w: 50, h: 70 });
  const at = new Map(pages.map((page) => [page.page, page]));
  const place = (page: number) => ({
    column: (at.get(page)?.x ?? -1) / 50,
    row: (at.get(page)?.y ?? -1) / 70,
  });
  expect([...at.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (const [front, back] of [
    [1, 2],
    [5, 6],
  ] as const)
    expect(place(front).column).toBe(place(back).column);
  for (const [left, right] of [
    [2, 3],
    [4, 5],
    [6, 7],
    [8, 1],
  ] as const) {
    const turned = at.get(left)?.turn === 180;
    expect(at.get(right)?.turn).toBe(at.get(left)?.turn);
    expect(place(right).row).toBe(place(left).row);
    expect(place(right).column - place(left).column).toBe(turned ? -1 : 1);
  }
  expect(slit).toEqual({ x1: 50, y1: 70, x2: 150, y2: 70 });
});
