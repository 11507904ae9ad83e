import { MAX_NAME, MAX_PIECES, MAX_STEPS } from '../protocol/limits.ts';
import { type PackedComponent, TooMuchError } from './pack.ts';

/** A step of a set-up, as the server reads it. */
export interface Step {
  readonly do: string;
  readonly [field: string]: unknown;
}

export interface SetUp {
  readonly steps: readonly Step[];
}

/** Space between parts of the table, in tenths of a millimetre. */
const GAP = 150;
/** Space around each piece in an area that lays its pieces out. */
export const AREA_GAP = 40;
/** Height of an area's name above its pieces. */
export const AREA_HEAD = 90;
/** A row of decks is no longer than this. */
const ROW = 9_000;
/** More tokens than this lie in a pile, not beside each other. */
const MOST_SPREAD = 48;
/** An area is about this much wider than high. */
const AREA_ASPECT = 2.4;

/** A part of the table before it has a place. */
interface Part {
  readonly w: number;
  readonly h: number;
  /** Steps that make it, given its centre. */
  readonly make: (x: number, y: number) => readonly Step[];
}

/**
 * The set-up suggested for a box: boards in the middle; below them a shuffled deck for each component of cards with a
 * place to discard, and tiles shuffled face down; tokens and dice in areas of their own; a hand for each seat.
 * @throws TooMuchError for more components than one set-up holds
 */
export function suggestedSetUp(components: readonly PackedComponent[]): SetUp {
  const names = new Names();
  const of = (...kinds: string[]) => components.filter(({ kind }) => kinds.includes(kind));
  const boards = of('board').flatMap(({ definitions, size: [w, h] }) =>
    definitions.map(
      ({ no }): Part => ({
        w,
        h,
        make: (x, y) => [{ do: 'place', place: { pieces: { definition: no } }, to: at(x, y) }],
      }),
    ),
  );
  const decks = of('card', 'tile').map((component) => deckOf(component, names));
  const areas = of('token', 'die').map((component) => areaOf(component, names));
  const hand: Step = {
    do: 'place',
    each_seat: true,
    place: { container: { kind: 'hand', name: 'Hand' } },
    to: at(0, 0),
  };
  const steps = [hand, ...laidOut([rowsOf(boards), rowsOf(decks), rowsOf(areas)].flat())];
  if (steps.length > MAX_STEPS) {
    throw new TooMuchError(
      `The set-up would take ${steps.length} steps; the most is ${MAX_STEPS}. Choose fewer components or boards.`,
    );
  }
  return { steps };
}

/** Decks and other containers that a set-up makes, for the limit of pieces. */
export function containersOf({ steps }: SetUp, seats: number): number {
  return steps.reduce((sum, { place, each_seat }) => {
    const makes = typeof place === 'object' && place !== null && 'container' in place;
    return sum + (makes ? (each_seat ? seats : 1) : 0);
  }, 0);
}

/** @throws TooMuchError when pieces and containers together are more than a table holds */
export function checkPieces(components: readonly PackedComponent[], setUp: SetUp, seats: number): void {
  const pieces = components.reduce((sum, component) => sum + component.pieces, 0);
  const containers = containersOf(setUp, seats);
  if (pieces + containers > MAX_PIECES) {
    throw new TooMuchError(
      `These are ${pieces} pieces and ${containers} decks, hands and areas; a table holds ${MAX_PIECES} together. Choose fewer components or seats, or lower the copies.`,
    );
  }
}

const at = (x: number, y: number) => ({ at: { surface: 0, x: Math.round(x), y: Math.round(y) } });
const into = (name: string) => ({ into: { name } });
const container = (kind: string, name: string, x: number, y: number, more: object = {}): Step => ({
  do: 'place',
  place: { container: { kind, name, ...more } },
  to: at(x, y),
});
const fill = ({ set }: PackedComponent, name: string, face: 'up' | 'down'): Step => ({
  do: 'place',
  place: { set },
  to: into(name),
  face,
});

/** A shuffled deck face down; beside one of cards, a place to discard. */
function deckOf(component: PackedComponent, names: Names): Part {
  const [w, h] = component.size;
  const deck = names.take(component.name);
  const made = (x: number, y: number): readonly Step[] => [
    container('stack', deck, x, y, { size: [w, h] }),
    fill(component, deck, 'down'),
    { do: 'shuffle', what: { name: deck } },
  ];
  if (component.kind !== 'card') return { w, h, make: made };
  const discard = names.take(component.name, ' discard');
  return {
    w: 2 * w + GAP / 2,
    h,
    make: (x, y) => [
      ...made(x - (w + GAP / 2) / 2, y),
      container('stack', discard, x + (w + GAP / 2) / 2, y, { size: [w, h] }),
    ],
  };
}

/** An area in which pieces lie beside each other, face up; a pile for many. */
function areaOf(component: PackedComponent, names: Names): Part {
  const [w, h] = component.size;
  const name = names.take(component.name);
  if (component.pieces > MOST_SPREAD) {
    return {
      w,
      h,
      make: (x, y) => [
        container('stack', name, x, y, { size: [w, h] }),
        fill(component, name, 'up'),
        ...(component.definitions.length > 1 ? [{ do: 'shuffle', what: { name } }] : []),
      ],
    };
  }
  const [cellW, cellH] = [w + AREA_GAP, h + AREA_GAP];
  const columns = Math.max(1, Math.ceil(Math.sqrt((component.pieces * cellH * AREA_ASPECT) / cellW)));
  const rows = Math.ceil(component.pieces / columns);
  const width = Math.max(400, columns * cellW + AREA_GAP);
  const height = rows * cellH + AREA_GAP + AREA_HEAD;
  return {
    w: width,
    h: height,
    make: (x, y) => [
      container('zone', name, x, y, { arrangement: 'grid', size: [width, height] }),
      fill(component, name, 'up'),
    ],
  };
}

/** Parts in rows of a length that is seen at once. */
function rowsOf(parts: readonly Part[]): Part[][] {
  const rows: Part[][] = [];
  let length = 0;
  for (const part of parts) {
    const row = rows.at(-1);
    if (row && length + GAP + part.w <= ROW) {
      row.push(part);
      length += GAP + part.w;
    } else {
      rows.push([part]);
      length = part.w;
    }
  }
  return rows;
}

/** Rows below each other, each in the middle, all of them around the middle of the table. */
function laidOut(rows: readonly (readonly Part[])[]): Step[] {
  const heights = rows.map((row) => Math.max(...row.map(({ h }) => h)));
  const total = heights.reduce((sum, height) => sum + height, 0) + GAP * Math.max(0, rows.length - 1);
  let top = -total / 2;
  return rows.flatMap((row, index) => {
    const height = heights[index] ?? 0;
    const width = row.reduce((sum, { w }) => sum + w, 0) + GAP * (row.length - 1);
    let left = -width / 2;
    const steps = row.flatMap(({ w, make }) => {
      const made = make(left + w / 2, top + height / 2);
      left += w + GAP;
      return made;
    });
    top += height + GAP;
    return steps;
  });
}

/** Names of a table's parts: steps find parts by them, so no two are alike. */
export class Names {
  readonly #taken = new Set<string>();

  take(name: string, ending = ''): string {
    for (let again = 1; ; again++) {
      const suffix = `${ending}${again > 1 ? ` ${again}` : ''}`;
      const stem = [...(name.trim() || 'Pieces')].slice(0, MAX_NAME - suffix.length).join('');
      const taken = `${stem.trim()}${suffix}`;
      if (this.#taken.has(taken)) continue;
      this.#taken.add(taken);
      return taken;
    }
  }
}
