import type { Handle, TurnedBox } from '../geometry/resize.ts';

/**
 * What the pointer is doing to zones: a statechart of small states, each in its own file.
 *
 *   idle -> pointing-zone -> translating -> idle
 *   idle -> pointing-handle -> resizing | rotating -> idle
 *
 * A drag lives in a preview that is shown at once and becomes one act when the pointer is let go;
 * Escape, or losing the pointer, leaves the document as it was.
 */

/** A point on the card, in millimetres from the trim's top left corner. */
export interface CardPoint {
  readonly x: number;
  readonly y: number;
}

/** What lies under the pointer. */
export type PointerTarget =
  | { readonly kind: 'card' }
  | { readonly kind: 'zone'; readonly id: string }
  | { readonly kind: 'handle'; readonly id: string; readonly handle: Handle }
  | { readonly kind: 'rotate'; readonly id: string };

export type PointerInput =
  | { readonly type: 'down'; readonly at: CardPoint; readonly target: PointerTarget }
  | {
      readonly type: 'move';
      readonly at: CardPoint;
      /** Distance from where the pointer went down, in CSS pixels. */
      readonly travelled: number;
      readonly shift: boolean;
    }
  | { readonly type: 'up' }
  | { readonly type: 'cancel' };

/** What the states may do. */
export interface HandleContext {
  /** The zone's box, `undefined` when it is gone. */
  box(id: string): TurnedBox | undefined;
  /** A zone that must not be moved. */
  isLocked(id: string): boolean;
  /** A vector on the card in the coordinates of the zone's parent. */
  inParent(id: string, vector: CardPoint): CardPoint;
  /** A point on the card in the coordinates of the zone's parent. */
  pointInParent(id: string, point: CardPoint): CardPoint;
  snapping(): boolean;
  select(id: string | null): void;
  show(id: string, box: TurnedBox): void;
  commit(): void;
  discard(): void;
}

/** One state; answers the state that follows an input. */
export interface HandleState {
  readonly name: 'idle' | 'pointing-zone' | 'pointing-handle' | 'translating' | 'resizing' | 'rotating';
  next(context: HandleContext, input: PointerInput): HandleState;
}

/** A pointer that has moved less than this is still clicking, in CSS pixels. */
export const DRAG_THRESHOLD_PX = 4;

/** Runs the states. */
export class HandleMachine {
  #state: HandleState;
  readonly #context: HandleContext;

  constructor(context: HandleContext, initial: HandleState) {
    this.#context = context;
    this.#state = initial;
  }

  get state(): HandleState['name'] {
    return this.#state.name;
  }

  send(input: PointerInput): void {
    this.#state = this.#state.next(this.#context, input);
  }
}
