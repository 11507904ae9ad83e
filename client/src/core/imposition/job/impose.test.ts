import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImpositionError } from '../error.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings, pageSize, printSettingsSchema } from '../settings.ts';
import type { CardSet, Placement, Sheet } from '../sheets/sheet.ts';
import { impose } from './impose.ts';

const POKER = { w: 63.5, h: 88.9 };
const SLACK = 1e-6;

interface Overrides {
  readonly page?: Partial<PrintSettings['page']>;
  readonly marks?: Partial<PrintSettings['marks']>;
  readonly backs?: Partial<PrintSettings['backs']>;
  readonly rest?: Partial<PrintSettings>;
}

function settingsWith({ page, marks, backs, rest }: Overrides = {}): PrintSettings {
  const base = DEFAULT_PRINT_SETTINGS;
  return printSettingsSchema.parse({
    ...base,
    ...rest,
    page: { ...base.page, ...page },
    marks: { ...base.marks, ...marks },
    backs: { ...base.backs, ...backs },
  });
}

const deck = (copies: readonly number[], size = POKER, hasBacks = false): CardSet => ({
  size,
  bleed: 3.175,
  copies,
  hasBacks,
});

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const settings: fc.Arbitrary<PrintSettings> = fc
  .record({
    size: fc.constantFrom('a4', 'letter', 'legal', 'a3', 'custom'),
    orientation: fc.constantFrom('portrait', 'landscape'),
    margins: fc.record({
      top: double(0, 20),
      right: double(0, 20),
      bottom: double(0, 20),
      left: double(0, 20),
    }),
    gapX: double(0, 8),
    gapY: double(0, 8),
    turn: fc.constantFrom(0, 90, 180, 270),
    kind: fc.constantFrom('none', 'corner', 'full', 'cross'),
    length: double(0, 8),
    offset: double(0, 4),
    mode: fc.constantFrom('none', 'separate', 'long-edge', 'short-edge', 'fold'),
    nudgeX: double(-3, 3),
    nudgeY: double(-3, 3),
    bleed: fc.boolean(),
    ruler: fc.boolean(),
  })
  .map(({ kind, length, offset, mode, nudgeX, nudgeY, bleed, ruler, ...page }) =>
    settingsWith({
      page: { ...page, width: 250, height: 330 } as Partial<PrintSettings['page']>,
      marks: { kind, length, offset } as Partial<PrintSettings['marks']>,
      backs: { mode, nudgeX, nudgeY } as Partial<PrintSettings['backs']>,
      rest: { bleed, ruler },
    }),
  );
const size = fc.record({ w: double(20, 110), h: double(20, 110) });
const copies = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 30 });

/** Runs `check` on every plan that is possible. */
function forPlans(check: (set: CardSet, how: PrintSettings, plan: ReturnType<typeof impose>) => void): void {
  fc.assert(
    fc.property(size, copies, settings, fc.boolean(), (card, counts, how, hasBacks) => {
      const set = deck(counts, card, hasBacks);
      let plan: ReturnType<typeof impose>;
      try {
        plan = impose(set, how);
      } catch (error) {
        expect(error).toBeInstanceOf(ImpositionError);
        return;
      }
      check(set, how, plan);
    }),
    { numRuns: 100 },
  );
}

const lying = (card: { w: number; h: number }, turn: number) =>
  turn % 180 === 0 ? card : { w: card.h, h: card.w };

/** Corners of a card as printed: its own top left, top right, bottom right and bottom left. */
function cornersOf({ x, y, turn }: Placement, card: { w: number; h: number }): { x: number; y: number }[] {
  const { w, h } = lying(card, turn);
  const around = [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ];
  // Turned clockwise by a quarter, its own top left corner lies where the top right was.
  const shift = turn / 90;
  return [0, 1, 2, 3].map((index) => around[(index + shift) % 4] as { x: number; y: number });
}

describe('imposition', () => {
  test.each(['a4', 'letter'] as const)('nine poker cards fit on %s', (page) => {
    const plan = impose(deck(Array.from({ length: 87 }, () => 1)), settingsWith({ page: { size: page } }));
    expect([plan.columns, plan.rows, plan.papers]).toEqual([3, 3, 10]);
    expect(plan.sheets).toHaveLength(10);
    expect(plan.sheets.at(-1)?.placements).toHaveLength(6);
  });

  test('the grid is centred between the margins', () => {
    const plan = impose(
      deck([1]),
      settingsWith({ page: { margins: { top: 5, right: 5, bottom: 5, left: 15 } } }),
    );
    expect(plan.sheets[0]?.placements[0]?.x).toBeCloseTo(15 + (190 - 2 * 63.5) / 2, 9);
    expect(plan.sheets[0]?.placements[0]?.y).toBeCloseTo((297 - 3 * 88.9) / 2, 9);
  });

  test('bleed moves cards apart so that each shows all of its own', () => {
    const plan = impose(deck([9]), settingsWith({ rest: { bleed: true } }));
    const [first, second] = plan.sheets[0]?.placements ?? [];
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo(63.5 + 2 * 3.175, 9);
    expect(plan.bleed).toBe(3.175);
  });

  test('a card too large is refused with a way out, if it may not be split', () => {
    const whole = settingsWith({ rest: { boards: { ...DEFAULT_PRINT_SETTINGS.boards, split: 'off' } } });
    expect(() => impose(deck([1], { w: 250, h: 100 }), whole)).toThrow(
      /250 × 100 mm does not fit on A4 portrait.*choose a larger page/,
    );
  });

  test('more columns than fit are refused with the number that does', () => {
    expect(() => impose(deck([1]), settingsWith({ page: { columns: 5 } }))).toThrow(/at most 3 do/);
    expect(impose(deck([4]), settingsWith({ page: { columns: 2, rows: 1 } })).sheets).toHaveLength(2);
  });

  test('copies that would take too many sheets are refused', () => {
    expect(() => impose(deck([1e9]), DEFAULT_PRINT_SETTINGS)).toThrow(/Check the copies/);
    expect(() => impose(deck([50_000]), DEFAULT_PRINT_SETTINGS)).toThrow(/most is 5000 sheets/);
  });

  test('every copy is there exactly once, in order, within the margins, none on another', () => {
    forPlans((set, how, plan) => {
      const wanted = set.copies.flatMap((count, card) =>
        Array.from({ length: count }, (_, copy) => `${card}.${copy}`),
      );
      const printed = (side: 'front' | 'back') =>
        plan.sheets
          .flatMap(({ placements }) => placements)
          .filter((one) => one.side === side)
          .map(({ card, copy }) => `${card}.${copy}`);
      expect(printed('front')).toEqual(wanted);
      expect(printed('back').sort()).toEqual(set.hasBacks && how.backs.mode !== 'none' ? wanted.sort() : []);
      const { margins } = how.page;
      for (const { placements, side } of plan.sheets) {
        const nudge = side === 'front' ? { x: 0, y: 0 } : { x: how.backs.nudgeX, y: how.backs.nudgeY };
        const boxes = placements.map((one) => ({ ...one, ...lying(set.size, one.turn) }));
        for (const { x, y, w, h, side: face } of boxes) {
          if (face === 'back') continue;
          expect(x - plan.bleed - margins.left).toBeGreaterThanOrEqual(-SLACK);
          expect(y - plan.bleed - margins.top).toBeGreaterThanOrEqual(-SLACK);
          expect(x + w + plan.bleed).toBeLessThanOrEqual(plan.w - margins.right + SLACK);
          expect(y + h + plan.bleed).toBeLessThanOrEqual(plan.h - margins.bottom + SLACK);
        }
        for (const [index, a] of boxes.entries()) {
          for (const b of boxes.slice(index + 1)) {
            // A nudge may bring folded backs nearer to the fronts across the fold.
            const give = a.side === b.side ? 0 : Math.max(Math.abs(nudge.x), Math.abs(nudge.y));
            const apart =
              Math.abs(a.x - b.x) >= a.w + 2 * plan.bleed - give - SLACK ||
              Math.abs(a.y - b.y) >= a.h + 2 * plan.bleed - give - SLACK;
            if (!apart) throw new Error(`cards ${a.card} and ${b.card} overlap`);
          }
        }
      }
    });
  });

  test('marks lie on the lines of a cut and on the page; corner marks on no card', () => {
    forPlans((set, how, plan) => {
      for (const sheet of plan.sheets) {
        for (const line of sheet.marks) {
          const upright = line.x1 === line.x2;
          // Cuts go by the fronts, however backs are shifted.
          const fold = sheet.side === 'both';
          const boxes = sheet.placements.map((one) => ({
            ...one,
            ...lying(set.size, one.turn),
            x: one.x - (fold && one.side === 'back' ? how.backs.nudgeX : 0),
            y: one.y - (fold && one.side === 'back' ? how.backs.nudgeY : 0),
          }));
          const cuts = boxes.flatMap(({ x, y, w, h }) => (upright ? [x, x + w] : [y, y + h]));
          if (!cuts.some((cut) => Math.abs(cut - (upright ? line.x1 : line.y1)) < 1e-3))
            throw new Error(`a mark on no cut: ${JSON.stringify(line)}`);
          for (const value of [line.x1, line.x2]) expect(value >= 0 && value <= plan.w).toBe(true);
          for (const value of [line.y1, line.y2]) expect(value >= 0 && value <= plan.h).toBe(true);
          if (how.marks.kind !== 'corner') continue;
          const middle = { x: (line.x1 + line.x2) / 2, y: (line.y1 + line.y2) / 2 };
          const b = plan.bleed - 0.01;
          const inside = boxes.some(
            ({ x, y, w, h }) =>
              middle.x > x - b && middle.x < x + w + b && middle.y > y - b && middle.y < y + h + b,
          );
          expect(inside).toBe(false);
        }
      }
    });
  });

  test('a full sheet without gaps has a mark at every end of every cut', () => {
    const [sheet] = impose(deck([9]), DEFAULT_PRINT_SETTINGS).sheets;
    // Four cuts across and four down, a mark at both ends of each.
    expect(sheet?.marks).toHaveLength(16);
    const [full] = impose(deck([9]), settingsWith({ marks: { kind: 'full' } })).sheets;
    expect(full?.marks).toHaveLength(8);
    const [cross] = impose(deck([9]), settingsWith({ marks: { kind: 'cross' } })).sheets;
    expect(cross?.marks).toHaveLength(2 * 16);
  });
});

describe('backs', () => {
  /** The point of the front behind a point of the back, seen through the paper. */
  const through = (point: { x: number; y: number }, page: { w: number; h: number }, mode: string) => {
    const standing = page.h >= page.w;
    const aboutUpright = mode === 'long-edge' ? standing : !standing;
    return aboutUpright ? { x: page.w - point.x, y: point.y } : { x: point.x, y: page.h - point.y };
  };

  /** A back is right when its own corners lie behind the front's, left and right exchanged. */
  function expectBehind(
    front: Placement,
    back: Placement,
    card: { w: number; h: number },
    seen: (point: { x: number; y: number }) => { x: number; y: number },
    how: PrintSettings,
  ): void {
    const unshifted = { ...back, x: back.x - how.backs.nudgeX, y: back.y - how.backs.nudgeY };
    const [tl, tr, br, bl] = cornersOf(unshifted, card).map(seen);
    const wanted = cornersOf(front, card);
    for (const [index, corner] of [tr, tl, bl, br].entries()) {
      expect(corner?.x).toBeCloseTo(wanted[index]?.x ?? Number.NaN, 6);
      expect(corner?.y).toBeCloseTo(wanted[index]?.y ?? Number.NaN, 6);
    }
  }

  test('turned over about either edge, each back lies behind its front, heads together', () => {
    forPlans((set, how, plan) => {
      const { mode } = how.backs;
      if (!set.hasBacks || (mode !== 'long-edge' && mode !== 'short-edge')) return;
      expect(plan.papers * 2).toBe(plan.sheets.length);
      for (let index = 0; index < plan.sheets.length; index += 2) {
        const [fronts, backs] = [plan.sheets[index], plan.sheets[index + 1]] as [Sheet, Sheet];
        expect([fronts.side, backs.side]).toEqual(['front', 'back']);
        expect(backs.placements).toHaveLength(fronts.placements.length);
        for (const front of fronts.placements) {
          const back = backs.placements.find((one) => one.card === front.card && one.copy === front.copy);
          if (!back) throw new Error('no back');
          expectBehind(front, back, set.size, (point) => through(point, pageSize(how.page), mode), how);
        }
      }
    });
  });

  test('folded, each back lies behind its front, heads together', () => {
    forPlans((set, how, plan) => {
      if (!set.hasBacks || how.backs.mode !== 'fold') return;
      for (const sheet of plan.sheets) {
        const level = sheet.folds.every(({ y1, y2 }) => y1 === y2);
        const [line] = sheet.folds;
        const seen = ({ x, y }: { x: number; y: number }) =>
          level ? { x, y: 2 * (line?.y1 ?? 0) - y } : { x: 2 * (line?.x1 ?? 0) - x, y };
        for (const front of sheet.placements.filter(({ side }) => side === 'front')) {
          const back = sheet.placements.find(
            (one) => one.side === 'back' && one.card === front.card && one.copy === front.copy,
          );
          if (!back) throw new Error('no back');
          expectBehind(front, back, set.size, seen, how);
        }
      }
    });
  });

  test('long edge of a standing page: A B C, and behind it C B A', () => {
    const [, backs] = impose(deck([1, 1, 1], POKER, true), DEFAULT_PRINT_SETTINGS).sheets;
    const inOrder = [...(backs?.placements ?? [])].sort((a, b) => a.x - b.x).map(({ card }) => card);
    expect(inOrder).toEqual([2, 1, 0]);
    expect(backs?.placements.every(({ turn }) => turn === 0)).toBe(true);
  });

  test('an odd last sheet has its few backs on the other side', () => {
    const plan = impose(deck([10], POKER, true), DEFAULT_PRINT_SETTINGS);
    expect(plan.sheets).toHaveLength(4);
    expect(plan.sheets[3]?.placements.map(({ x }) => x)).toEqual([
      plan.w - (plan.sheets[2]?.placements[0]?.x ?? 0) - POKER.w,
    ]);
  });

  test('cards without backs keep the next set on fronts', () => {
    const plan = impose(deck([1]), DEFAULT_PRINT_SETTINGS, true);
    expect(plan.sheets.map(({ side, placements }) => [side, placements.length])).toEqual([
      ['front', 1],
      ['back', 0],
    ]);
  });

  test('one card a page takes the page size of the card with its bleed', () => {
    const plan = impose(
      deck([2, 1], POKER, true),
      settingsWith({ rest: { arrangement: 'single', bleed: true } }),
    );
    expect([plan.w, plan.h]).toEqual([63.5 + 6.35, 88.9 + 6.35]);
    expect(plan.sheets.map(({ side }) => side)).toEqual(['front', 'back', 'front', 'back', 'front', 'back']);
  });
});
