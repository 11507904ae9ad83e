import { Names } from '../box/set-up.ts';
import type { PlacedMarks, PlaceStep, Step, Target } from '../protocol/buttons.ts';
import { MAX_STEPS } from '../protocol/limits.ts';
import {
  type Handle,
  type SeatNo,
  SHOWS,
  type Shown,
  type ShownContainer,
  type ShownSet,
  type Shows,
} from '../protocol/messages.ts';
import type { PartRef } from '../protocol/parts.ts';
import { arranged, isArea, type Placed } from '../view/arrange.ts';
import { contentsOf } from '../view/contents.ts';
import { seatName, shownName } from '../view/names.ts';
import type { TableView } from '../view/view.ts';

/** The steps that lay out a table as it lies now, and in words what they leave out. */
export interface LiesHere {
  readonly steps: readonly Step[];
  readonly left: readonly string[];
}

type Looks = Pick<TableView, 'pieces' | 'backs' | 'faces' | 'table'>;

/**
 * The steps that lay out what lies here now. They name no card that somebody does not see: what lies hidden comes out of
 * the box by chance, as many of its set as there are. Where a set lies hidden in several places, all of it goes to one
 * pile first and is moved on from there, so that no card comes twice.
 */
export function liesHere(view: Looks, sets: readonly ShownSet[]): LiesHere {
  return new Recorder(view, sets).record();
}

/** True if a set-up of these steps is more than one holds. */
export const isTooLong = ({ steps }: LiesHere): boolean => steps.length > MAX_STEPS;

/** A pile, bag, area or hand that steps make. */
interface Made {
  readonly handle: Handle;
  readonly shown: Shown;
  readonly container: ShownContainer;
  readonly ref: PartRef;
  /** The seat that it belongs to. */
  readonly seat?: SeatNo;
}

/** Pieces of a set that lie hidden in one place. */
interface Hidden {
  readonly count: number;
  readonly to: Target;
  readonly face: 'up' | 'down';
  readonly marks?: PlacedMarks;
  readonly seat?: SeatNo;
  /** The pile or bag that they lie in, which others can be moved from. */
  readonly pile?: Made;
}

/** True if everybody sees of a container's contents what lies face up. */
const isOpen = ({ policy, kind }: ShownContainer): boolean =>
  kind !== 'hand' &&
  kind !== 'bag' &&
  policy !== null &&
  showsOpen(policy.outside) &&
  showsOpen(policy.inside);

const atLeast = (shows: Shows, least: Shows): boolean => SHOWS.indexOf(shows) >= SHOWS.indexOf(least);
const showsOpen = (shows: Shows): boolean => atLeast(shows, 'asitlies');

/** True if everybody is shown so much of a container's contents. */
const showsAll = ({ policy }: ShownContainer, least: Shows): boolean =>
  policy !== null && atLeast(policy.outside, least);

const isPile = ({ kind }: ShownContainer): boolean => kind === 'stack' || kind === 'bag';

/** The state that people put on a piece; undefined if there is none. */
function marksOf({ turn, locked, tint }: Shown): PlacedMarks | undefined {
  if (!turn && !locked && tint === undefined) return undefined;
  return { ...(turn && { turn }), ...(locked && { locked }), ...(tint !== undefined && { tint }) };
}

const marked = (marks: PlacedMarks | undefined) => (marks ? { marks } : {});
const forSeat = (seat: SeatNo | undefined) => (seat === undefined ? {} : { seat });

/** The step that makes a container like this one. */
const making = (
  { kind, policy, arrangement, size }: ShownContainer,
  name: string,
  { x, y }: { readonly x: number; readonly y: number },
): PlaceStep => ({
  do: 'place',
  place: { container: { kind, name, arrangement, size, ...(policy && { policy }) } },
  to: { at: { surface: 0, x: Math.round(x), y: Math.round(y) } },
});

class Recorder {
  readonly #view: Looks;
  readonly #sets: readonly ShownSet[];
  readonly #placed: readonly Placed[];
  readonly #contents: ReadonlyMap<Handle, readonly Handle[]>;
  readonly #names = new Names();
  readonly #left = new Set<string>();
  /** Steps in the order in which they are done: what everybody sees lies there before the rest of its set is taken. */
  readonly #made: Step[] = [];
  readonly #open: Step[] = [];
  readonly #last: Step[] = [];
  /** Pieces of each set that lie open. */
  readonly #openOf = new Map<number, number>();
  readonly #hidden = new Map<number, Hidden[]>();

  constructor(view: Looks, sets: readonly ShownSet[]) {
    this.#view = view;
    this.#sets = sets;
    this.#placed = arranged(view);
    this.#contents = contentsOf(view.pieces);
  }

  record(): LiesHere {
    const containers = [...this.#view.pieces].filter(([, { container }]) => container !== undefined);
    const owned = containers.filter(([, { container }]) => container?.owner !== undefined);
    const own = this.#makeForSeats(owned);
    const shared = containers.filter(([, { container }]) => container?.owner === undefined);
    const made = shared.flatMap(([handle]) => this.#make(handle) ?? []);
    for (const { shown } of this.#placed)
      if (!shown.container && shown.holder === undefined) this.#loose(shown);
    for (const one of [...made, ...own]) this.#fillOpen(one);
    for (const one of [...made, ...own]) this.#fillNotes(one);
    const isCounted = ({ container }: Made) => isPile(container) || showsAll(container, 'back');
    for (const one of [...made, ...own].filter(isCounted)) this.#fillHidden(one);
    for (const one of [...made, ...own].filter((each) => !isCounted(each))) this.#fillUnseen(one);
    if (this.#view.pieces.size === 0) this.#left.add('Nothing lies here.');
    const hidden = [...this.#hidden].flatMap(([set, places]) => this.#taking(set, places));
    return { steps: [...this.#made, ...this.#open, ...hidden, ...this.#last], left: [...this.#left] };
  }

  /** Hands and private areas: one step makes those of all seats. */
  #makeForSeats(owned: readonly (readonly [Handle, Shown])[]): readonly Made[] {
    const names = new Map<string, string>();
    return owned.flatMap(([handle, shown]): Made[] => {
      const { container } = shown;
      if (container?.owner === undefined) return [];
      const key = `${container.kind} ${shown.name}`;
      let name = names.get(key);
      if (name === undefined) {
        name = this.#names.take(shown.name ?? 'Hand');
        names.set(key, name);
        this.#made.push({ ...making(container, name, shown), each_seat: true });
      }
      return [{ handle, shown, container, ref: { name, own: true }, seat: container.owner }];
    });
  }

  #make(handle: Handle): Made | undefined {
    const placed = this.#placed.find((one) => one.handle === handle);
    const container = placed?.shown.container;
    if (!placed || !container) return undefined;
    const name = this.#names.take(placed.shown.name ?? shownName(this.#view, placed.shown));
    this.#made.push({ ...making(container, name, placed), ...marked(marksOf(placed.shown)) });
    return { handle, shown: placed.shown, container, ref: { name } };
  }

  #allInside({ handle }: Made): readonly Shown[] {
    const inside = this.#contents.get(handle) ?? [];
    return inside.flatMap((one) => this.#view.pieces.get(one) ?? []).filter(({ container }) => !container);
  }

  /** Pieces of sets: notes come out of no box. */
  #insideOf(made: Made): readonly Shown[] {
    return this.#allInside(made).filter(({ kind }) => kind !== 'note');
  }

  #notesIn(made: Made): readonly Shown[] {
    return this.#allInside(made).filter(({ kind }) => kind === 'note');
  }

  /** Number of pieces of sets that everybody counts. */
  #countOf(made: Made): number {
    const { count } = made.container;
    return count === undefined ? this.#insideOf(made).length : count - this.#notesIn(made).length;
  }

  /** True if everybody sees which piece it is. */
  #isSeen(shown: Shown, inside?: ShownContainer): boolean {
    if (shown.face === undefined || (inside && !isOpen(inside))) return false;
    return (
      shown.facing === 'up' || shown.kind === 'board' || shown.kind === 'counter' || shown.kind === 'timer'
    );
  }

  /** A pile of one piece, and each piece of an area, is named if everybody sees it. */
  #seenIn(made: Made): readonly Shown[] {
    if (made.container.kind === 'stack' && made.container.count !== 1) return [];
    return this.#insideOf(made).filter((shown) => this.#isSeen(shown, made.container));
  }

  #loose(shown: Shown): void {
    const to = { at: { surface: shown.surface ?? 0, x: Math.round(shown.x), y: Math.round(shown.y) } };
    const marks = marked(marksOf(shown));
    if (shown.kind === 'note') this.#last.push({ do: 'note', text: shown.text ?? '', to, ...marks });
    else if (this.#isSeen(shown)) this.#placeSeen(shown, to);
    else this.#hide(shown.back, { count: 1, to, face: 'down', ...marks });
  }

  #fillOpen(made: Made): void {
    let last: { step: PlaceStep; like: string } | undefined;
    const spots = isArea(made.shown) && made.container.arrangement === 'free';
    for (const shown of this.#seenIn(made)) {
      const isPlain = shown.value === undefined || shown.kind === 'die';
      const like = JSON.stringify([shown.face, shown.facing, marksOf(shown)]);
      if (!spots && isPlain && last?.like === like && 'pieces' in last.step.place) {
        // One step for pieces that are alike and follow each other.
        const { pieces } = last.step.place;
        last.step = { ...last.step, place: { pieces: { ...pieces, copies: (pieces.copies ?? 1) + 1 } } };
        this.#open[this.#open.length - 1] = last.step;
        continue;
      }
      const { x, y } = shown;
      const to = spots ? { within: { into: made.ref, x, y } } : { into: made.ref };
      const step = this.#placeSeen(shown, to, made.seat);
      last = isPlain ? { step, like } : undefined;
    }
  }

  /** Notes are written anew, unless others do not see that there are any. */
  #fillNotes(made: Made): void {
    const { container, ref, seat } = made;
    const notes = this.#notesIn(made);
    if (notes.length > 0 && !isOpen(container)) {
      this.#left.add(`Notes in ${ref.name}: others do not see them.`);
      return;
    }
    for (const shown of notes) {
      const { text = '', x, y } = shown;
      const to = isArea(made.shown) ? { within: { into: ref, x, y } } : { into: ref };
      this.#last.push({ do: 'note', text, to, ...marked(marksOf(shown)), ...forSeat(seat) });
    }
  }

  #fillHidden(made: Made): void {
    const { container, ref, seat } = made;
    const seen = new Set(this.#seenIn(made));
    if (isPile(container)) {
      const count = this.#countOf(made) - seen.size;
      if (count <= 0) return;
      const top = this.#insideOf(made).at(-1);
      const face = top?.facing === 'up' ? 'up' : 'down';
      this.#hide(top?.back, { count, to: { into: ref }, face, pile: made });
      if (face === 'up' && count > 1) {
        this.#left.add(`The order of ${ref.name}: its pieces come by chance.`);
      }
      return;
    }
    const hidden = new Map<string, { readonly shown: Shown; count: number }>();
    for (const shown of this.#insideOf(made)) {
      if (seen.has(shown)) continue;
      const key = JSON.stringify([shown.back, marksOf(shown)]);
      const alike = hidden.get(key);
      if (alike) alike.count++;
      else hidden.set(key, { shown, count: 1 });
    }
    for (const { shown, count } of hidden.values()) {
      const marks = marked(marksOf(shown));
      this.#hide(shown.back, { count, to: { into: ref }, face: 'down', ...marks, ...forSeat(seat) });
    }
  }

  /**
   * Pieces of which others see the number alone, as in a hand; nothing is said of what this seat sees more. Where one set
   * only is not all accounted for, they are of it.
   */
  #fillUnseen(made: Made): void {
    const { container, seat, ref } = made;
    const count = this.#countOf(made);
    if (count === 0) return;
    const [one, ...others] = this.#sets.flatMap(({ part, pieces, backs }, set) => {
      const isLeft = part !== true && pieces > this.#accounted(set);
      return isLeft && backs[0] !== undefined ? [backs[0]] : [];
    });
    if (one !== undefined && others.length === 0 && showsAll(container, 'count')) {
      this.#hide(one, { count, to: { into: ref }, face: 'down', ...forSeat(seat) });
      return;
    }
    const whose = seat === undefined ? '' : ` of ${seatName(this.#view, seat)}`;
    this.#left.add(
      `The contents of ${ref.name}${whose}: others cannot see which set they are from. Add a step that deals or moves them there.`,
    );
  }

  #setOf(back: number | undefined): number {
    if (back === undefined) return -1;
    return this.#sets.findIndex(({ backs, part }) => part !== true && backs.includes(back));
  }

  #accounted(set: number): number {
    const hidden = this.#hidden.get(set) ?? [];
    return (this.#openOf.get(set) ?? 0) + hidden.reduce((sum, { count }) => sum + count, 0);
  }

  #placeSeen(shown: Shown, to: Target, seat?: SeatNo): PlaceStep {
    const set = this.#setOf(shown.back);
    this.#openOf.set(set, (this.#openOf.get(set) ?? 0) + 1);
    const isCounted = shown.value !== undefined && shown.kind !== 'die';
    const name =
      shown.name !== undefined || isCounted
        ? this.#names.take(shown.name ?? shownName(this.#view, shown))
        : undefined;
    const step: PlaceStep = {
      do: 'place',
      place: { pieces: { definition: shown.face ?? 0, copies: 1, ...(name !== undefined && { name }) } },
      to,
      ...(shown.facing && { face: shown.facing }),
      ...marked(marksOf(shown)),
      ...forSeat(seat),
    };
    this.#open.push(step);
    if (isCounted && name !== undefined)
      this.#last.push({ do: 'set', what: { name }, value: shown.value ?? 0 });
    return step;
  }

  /** Notes pieces of which everybody sees the back alone. */
  #hide(back: number | undefined, hidden: Hidden): void {
    const set = this.#setOf(back);
    const { to } = hidden;
    if (!this.#sets[set]) {
      this.#left.add(
        'into' in to
          ? `The contents of ${to.into.name}: nobody sees what they are. Add a step that takes them out of the box.`
          : 'Pieces that are not seen: nobody sees what they are. Add a step that takes them out of the box.',
      );
      return;
    }
    const places = this.#hidden.get(set);
    if (places) places.push(hidden);
    else this.#hidden.set(set, [hidden]);
  }

  /** The steps that take what lies hidden of a set out of the box. */
  #taking(set: number, places: readonly Hidden[]): readonly Step[] {
    const piles = places.filter(({ pile }) => pile !== undefined);
    const source = piles.toSorted((a, b) => b.count - a.count)[0];
    const shuffles = (place: Hidden): readonly Step[] =>
      place.pile?.container.kind === 'stack' ? [{ do: 'shuffle', what: place.pile.ref }] : [];
    if (!source?.pile || places.length === 1) {
      if (places.length > 1) {
        const name = this.#sets[set]?.name ?? '';
        this.#left.add(
          `A pile of ${name}: without one, the same piece may come to two of the places where they lie hidden.`,
        );
      }
      return places.flatMap((place) => [this.#takes(set, place), ...shuffles(place)]);
    }
    const total = places.reduce((sum, { count }) => sum + count, 0);
    const from = source.pile.ref;
    const moves = places.flatMap((place): Step[] => {
      if (place === source) return [];
      const { count, to, face, marks, seat } = place;
      const what = { from, most: { fixed: count } };
      return [{ do: 'move', what, to, face, ...marked(marks), ...forSeat(seat) }];
    });
    return [this.#takes(set, { ...source, count: total }), ...shuffles(source), ...moves];
  }

  /** All that are left of a set are taken without a number. */
  #takes(set: number, { count, to, face, marks, seat }: Hidden): PlaceStep {
    const rest = (this.#sets[set]?.pieces ?? 0) - (this.#openOf.get(set) ?? 0);
    const most = count < rest ? { most: { fixed: count } } : {};
    return { do: 'place', place: { rest: { set, ...most } }, to, face, ...marked(marks), ...forSeat(seat) };
  }
}
