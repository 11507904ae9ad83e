import { arranged, isArea, type Placed } from './arrange.ts';
import type { PlaceStep, Step } from './buttons.ts';
import { contentsOf } from './contents.ts';
import { MAX_STEPS } from './limits.ts';
import {
  type Handle,
  SHOWS,
  type Shown,
  type ShownContainer,
  type ShownSet,
  type Shows,
} from './messages.ts';
import { shownName } from './names.ts';
import type { PartRef } from './parts.ts';
import { Names } from './set-up.ts';
import type { TableView } from './view.ts';

/** The steps that lay out a table as it lies now, and in words what they leave out. */
export interface LiesHere {
  readonly steps: readonly Step[];
  readonly left: readonly string[];
}

type Looks = Pick<TableView, 'pieces' | 'backs' | 'faces' | 'table'>;

/**
 * The steps that lay out what lies here now. They name no card that somebody does not see: what lies hidden comes out of
 * the box by chance, as many of its set as there are, and piles of it are shuffled.
 */
export function liesHere(view: Looks, sets: readonly ShownSet[]): LiesHere {
  return new Recorder(view, sets).record();
}

/** True if a set-up of these steps is more than one holds. */
export const isTooLong = ({ steps }: LiesHere): boolean => steps.length > MAX_STEPS;

/** A pile, bag or area that steps make. */
interface Made {
  readonly handle: Handle;
  readonly shown: Shown;
  readonly container: ShownContainer;
  readonly ref: PartRef;
}

/** True if everybody sees of a container's contents what lies face up. */
const isOpen = ({ policy, kind }: ShownContainer): boolean =>
  kind !== 'hand' &&
  kind !== 'bag' &&
  policy !== null &&
  showsOpen(policy.outside) &&
  showsOpen(policy.inside);

const showsOpen = (shows: Shows): boolean => SHOWS.indexOf(shows) >= SHOWS.indexOf('asitlies');

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
  readonly #hidden: Step[] = [];
  readonly #last: Step[] = [];
  /** Pieces of each set that lie open. */
  readonly #openOf = new Map<number, number>();

  constructor(view: Looks, sets: readonly ShownSet[]) {
    this.#view = view;
    this.#sets = sets;
    this.#placed = arranged(view);
    this.#contents = contentsOf(view.pieces);
  }

  record(): LiesHere {
    const containers = [...this.#view.pieces].filter(([, { container }]) => container !== undefined);
    this.#makeForSeats(
      containers.flatMap(([, shown]) => (shown.container?.owner === undefined ? [] : [shown])),
    );
    const shared = containers.filter(([, { container }]) => container?.owner === undefined);
    const made = shared.flatMap(([handle]) => this.#make(handle) ?? []);
    for (const { shown } of this.#placed)
      if (!shown.container && shown.holder === undefined) this.#loose(shown);
    for (const one of made) this.#fillOpen(one);
    for (const one of made) this.#fillHidden(one);
    if (this.#view.pieces.size === 0) this.#left.add('Nothing lies here.');
    const steps = [...this.#made, ...this.#open, ...this.#hidden, ...this.#last];
    return { steps, left: [...this.#left] };
  }

  /** Hands and private areas: one step makes those of all seats. */
  #makeForSeats(own: readonly Shown[]): void {
    const kinds = new Map<string, Shown>();
    for (const shown of own) {
      const key = `${shown.container?.kind} ${shown.name}`;
      if (!kinds.has(key)) kinds.set(key, shown);
      if ((shown.container?.count ?? 0) > 0) {
        this.#left.add('What lies in hands and private areas: add a step that deals or moves it there.');
      }
    }
    for (const shown of kinds.values()) {
      if (!shown.container) continue;
      const name = this.#names.take(shown.name ?? 'Hand');
      this.#made.push({ ...making(shown.container, name, shown), each_seat: true });
    }
  }

  #make(handle: Handle): Made | undefined {
    const placed = this.#placed.find((one) => one.handle === handle);
    const container = placed?.shown.container;
    if (!placed || !container) return undefined;
    const name = this.#names.take(placed.shown.name ?? shownName(this.#view, placed.shown));
    this.#made.push(making(container, name, placed));
    return { handle, shown: placed.shown, container, ref: { name } };
  }

  #insideOf({ handle }: Made): readonly Shown[] {
    const inside = this.#contents.get(handle) ?? [];
    return inside.flatMap((one) => this.#view.pieces.get(one) ?? []).filter(({ container }) => !container);
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
    if (shown.kind === 'note') {
      this.#left.add('Notes.');
      return;
    }
    const to = { at: { surface: shown.surface ?? 0, x: Math.round(shown.x), y: Math.round(shown.y) } };
    if (this.#isSeen(shown)) this.#placeSeen(shown, to);
    else this.#placeHidden(shown.back, 1, to, 'down');
  }

  #fillOpen(made: Made): void {
    let last: { step: PlaceStep; face: number; side: Shown['facing'] } | undefined;
    const spots = isArea(made.shown) && made.container.arrangement === 'free';
    for (const shown of this.#seenIn(made)) {
      const { face, facing } = shown;
      const isPlain = shown.value === undefined || shown.kind === 'die';
      if (
        !spots &&
        isPlain &&
        last &&
        last.face === face &&
        last.side === facing &&
        'pieces' in last.step.place
      ) {
        // One step for pieces that are alike and follow each other.
        const copies = (last.step.place.pieces.copies ?? 1) + 1;
        last.step = { ...last.step, place: { pieces: { ...last.step.place.pieces, copies } } };
        this.#open[this.#open.length - 1] = last.step;
        this.#note(shown);
        continue;
      }
      const { x, y } = shown;
      const step = this.#placeSeen(shown, spots ? { within: { into: made.ref, x, y } } : { into: made.ref });
      last = isPlain && face !== undefined ? { step, face, side: facing } : undefined;
    }
  }

  #fillHidden(made: Made): void {
    const { container, ref } = made;
    const seen = new Set(this.#seenIn(made));
    if (container.kind === 'stack' || container.kind === 'bag') {
      const count = (container.count ?? 0) - seen.size;
      if (count <= 0) return;
      const top = this.#insideOf(made).at(-1);
      this.#placeHidden(top?.back, count, { into: ref }, top?.facing === 'up' ? 'up' : 'down');
      if (container.kind === 'stack') this.#last.push({ do: 'shuffle', what: ref });
      if (top?.facing === 'up' && count > 1) {
        this.#left.add(`The order of ${ref.name}: its pieces come by chance.`);
      }
      return;
    }
    const hidden = new Map<number | undefined, number>();
    for (const shown of this.#insideOf(made)) {
      if (!seen.has(shown)) hidden.set(shown.back, (hidden.get(shown.back) ?? 0) + 1);
    }
    for (const [back, count] of hidden) this.#placeHidden(back, count, { into: ref }, 'down');
  }

  #setOf(back: number | undefined): number {
    if (back === undefined) return -1;
    return this.#sets.findIndex(({ backs, part }) => part !== true && backs.includes(back));
  }

  #placeSeen(shown: Shown, to: PlaceStep['to']): PlaceStep {
    const set = this.#setOf(shown.back);
    this.#openOf.set(set, (this.#openOf.get(set) ?? 0) + 1);
    this.#note(shown);
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
    };
    this.#open.push(step);
    if (isCounted && name !== undefined)
      this.#last.push({ do: 'set', what: { name }, value: shown.value ?? 0 });
    return step;
  }

  /** Pieces of which everybody sees the back alone come by chance. All that are left of a set are taken without a number. */
  #placeHidden(back: number | undefined, count: number, to: PlaceStep['to'], face: 'up' | 'down'): void {
    const set = this.#setOf(back);
    const known = this.#sets[set];
    if (!known) {
      this.#left.add(
        'into' in to
          ? `What lies in ${to.into.name}: nobody sees what it is. Add a step that takes it out of the box.`
          : 'Pieces that are not seen: nobody sees what they are. Add a step that takes them out of the box.',
      );
      return;
    }
    const rest = known.pieces - (this.#openOf.get(set) ?? 0);
    const most = count < rest ? { most: { fixed: count } } : {};
    this.#hidden.push({ do: 'place', place: { rest: { set, ...most } }, to, face });
  }

  #note({ turn, locked, tint }: Shown): void {
    if (turn || locked || tint !== undefined) this.#left.add('Angles, colours and locks of pieces.');
  }
}
