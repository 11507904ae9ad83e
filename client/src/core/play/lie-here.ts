import { arranged, isArea, type Placed } from './arrange.ts';
import type { PlaceStep, Step } from './buttons.ts';
import { contentsOf } from './contents.ts';
import { MAX_NAME, MAX_STEPS } from './limits.ts';
import type { Handle, Shown, ShownContainer, ShownSet } from './messages.ts';
import { shownName } from './names.ts';
import type { PartRef } from './parts.ts';
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

const SHOWS = ['nothing', 'count', 'presence', 'back', 'asitlies', 'face'];

/** True if everybody sees of a container's contents what lies face up. */
const isOpen = ({ policy, kind }: ShownContainer): boolean =>
  kind !== 'hand' &&
  kind !== 'bag' &&
  policy !== null &&
  SHOWS.indexOf(policy.outside) >= SHOWS.indexOf('asitlies') &&
  SHOWS.indexOf(policy.inside) >= SHOWS.indexOf('asitlies');

class Recorder {
  readonly #view: Looks;
  readonly #sets: readonly ShownSet[];
  readonly #placed: readonly Placed[];
  readonly #contents: ReadonlyMap<Handle, readonly Handle[]>;
  readonly #names = new Set<string>();
  readonly #left = new Set<string>();
  /** Steps in the order in which they are done: what everybody sees lies there before the rest of its set is taken. */
  readonly #made: Step[] = [];
  readonly #open: Step[] = [];
  readonly #hidden: Step[] = [];
  readonly #last: Step[] = [];
  /** By set: pieces that lie open, and those that lie hidden. */
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
    for (const { handle, shown } of this.#placed)
      if (!shown.container && shown.holder === undefined) this.#loose(handle, shown);
    for (const one of made) this.#fillOpen(one);
    for (const one of made) this.#fillHidden(one);
    if (this.#view.pieces.size === 0) this.#left.add('Nothing lies here.');
    const steps = [...this.#made, ...this.#open, ...this.#hidden, ...this.#last];
    return { steps, left: [...this.#left] };
  }

  #name(wanted: string): string {
    for (let again = 1; ; again++) {
      const suffix = again > 1 ? ` ${again}` : '';
      const name = `${[...wanted]
        .slice(0, MAX_NAME - suffix.length)
        .join('')
        .trim()}${suffix}`;
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
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
    for (const { container, name, x, y } of kinds.values()) {
      if (!container) continue;
      const { kind, policy, arrangement, size } = container;
      const place = {
        container: { kind, name: this.#name(name ?? 'Hand'), arrangement, size, ...(policy && { policy }) },
      };
      this.#made.push({ do: 'place', each_seat: true, place, to: { at: { surface: 0, x, y } } });
    }
  }

  #make(handle: Handle): Made | undefined {
    const placed = this.#placed.find((one) => one.handle === handle);
    const container = placed?.shown.container;
    if (!placed || !container) return undefined;
    const { kind, policy, arrangement, size } = container;
    const name = this.#name(placed.shown.name ?? shownName(this.#view, placed.shown));
    this.#made.push({
      do: 'place',
      place: { container: { kind, name, arrangement, size, ...(policy && { policy }) } },
      to: { at: { surface: 0, x: Math.round(placed.x), y: Math.round(placed.y) } },
    });
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

  #loose(_handle: Handle, shown: Shown): void {
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
        ? this.#name(shown.name ?? shownName(this.#view, shown))
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
      const where = 'into' in to ? `What lies in ${to.into.name}` : 'Pieces that are not seen';
      this.#left.add(`${where}: nobody sees what it is. Add a step that takes it out of the box.`);
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
