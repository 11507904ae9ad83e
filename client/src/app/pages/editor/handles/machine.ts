import type { Rect } from '../../../../core/scene/display/matrix.ts';
import type { Handle, TurnedBox } from '../geometry/resize.ts';

/**
 * Statechart of the pointer's work on zones; each state has a file of its own.
 *
 *   idle -> pointing-zone -> translating -> idle
 *   idle -> pointing-handle -> resizing | resizing-group | rotating -> idle
 *   idle -> brushing -> idle
 *   idle -> drawing-zone -> idle
 *
 * A drag is a preview that is shown at once and becomes one act when the pointer is released; Escape, or losing the
 * pointer, leaves the document as it was.
 */

/** A point on the card, in millimetres from the trim's top left corner. */
export interface CardPoint {
  readonly x: number;
  readonly y: number;
}

/** Target under the pointer. */
export type PointerTarget =
  | { readonly kind: 'card' }
  | { readonly kind: 'zone'; readonly id: string }
  | { readonly kind: 'handle'; readonly id: string; readonly handle: Handle }
  | { readonly kind: 'group-handle'; readonly handle: Handle }
  | { readonly kind: 'rotate'; readonly id: string };

export type PointerInput =
  | {
      readonly type: 'down';
      readonly at: CardPoint;
      readonly target: PointerTarget;
      /** Shift adds to the selection. */
      readonly shift?: boolean;
    }
  | {
      readonly type: 'move';
      readonly at: CardPoint;
      /** Distance from where the pointer went down, in CSS pixels. */
      readonly travelled: number;
      readonly shift: boolean;
      /** Alt leaves the dragged zones and moves copies. */
      readonly alt?: boolean;
    }
  | { readonly type: 'up' }
  | { readonly type: 'cancel' };

/** Boxes by zone, in each one's parent. */
export type Boxes = Readonly<Record<string, TurnedBox>>;

/** Operations of drawing a zone. */
export interface Drawing {
  /** True if the pointer draws one next. */
  isNext(): boolean;
  /** Snapped place of a corner; shows the lines it snaps by. */
  snap(at: CardPoint): CardPoint;
  /** Shows the zone as it is drawn so far. */
  show(area: Rect): void;
  /** Adds the zone: as large as it was drawn, or of the usual size at a point; undefined adds none. */
  end(drawn: Rect | CardPoint | undefined): void;
}

/** Operations available to the states. */
export interface HandleContext {
  /** The zone's box in its parent, `undefined` when it is gone. */
  box(id: string): TurnedBox | undefined;
  /** The upright box around the zone on the card. */
  cardBox(id: string): Rect | undefined;
  /** A zone that must not be moved. */
  isLocked(id: string): boolean;
  /** The selected zones that move by themselves: not locked, and in no other selected zone. */
  movable(): readonly string[];
  isSelected(id: string): boolean;
  /** A vector on the card in the coordinates of the zone's parent. */
  inParent(id: string, vector: CardPoint): CardPoint;
  /** A point on the card in the coordinates of the zone's parent. */
  pointInParent(id: string, point: CardPoint): CardPoint;
  snapping(): boolean;
  /** Snapped position of a dragged box; shows the lines and distances it snaps by. */
  snapBox(box: Rect, moving: readonly string[]): CardPoint;
  /** Snapped position of a dragged edge of a zone, in the zone's parent. */
  snapEdge(id: string, axis: 'x' | 'y', value: number): number;
  select(id: string | null): void;
  toggle(id: string): void;
  /** Selects the zones a rectangle touches, besides those selected before; `null` ends the brushing. */
  brush(area: Rect | null, besides: readonly string[]): void;
  selection(): readonly string[];
  /** Present where zones can be drawn. */
  readonly drawing?: Drawing;
  show(boxes: Boxes): void;
  /** @param copy leaves the zones and puts copies where they were dragged */
  commit(copy?: boolean): void;
  discard(): void;
}

/** One state; answers the state that follows an input. By its name, `idle` is the state the machine began in. */
export interface HandleState {
  readonly name:
    | 'idle'
    | 'pointing-zone'
    | 'pointing-handle'
    | 'translating'
    | 'resizing'
    | 'resizing-group'
    | 'rotating'
    | 'brushing'
    | 'drawing-zone';
  next(context: HandleContext, input: PointerInput): HandleState | 'idle';
}

/** A pointer that has moved less than this is still clicking, in CSS pixels. */
export const DRAG_THRESHOLD_PX = 4;

/** Runs the states. */
export class HandleMachine {
  #state: HandleState;
  readonly #context: HandleContext;
  readonly #idle: HandleState;

  constructor(context: HandleContext, idle: HandleState) {
    this.#context = context;
    this.#idle = idle;
    this.#state = idle;
  }

  get state(): HandleState['name'] {
    return this.#state.name;
  }

  send(input: PointerInput): void {
    const next = this.#state.next(this.#context, input);
    this.#state = next === 'idle' ? this.#idle : next;
  }
}
