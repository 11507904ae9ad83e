import type { Card, Component, WithId } from '../../documents/documents.ts';
import type { KeptSteps } from '../changes/history.ts';
import type { Conflict, Overlay, Overlays } from '../changes/overlay.ts';

/** Writes of one commit. */
export interface TableCommit {
  readonly cards: readonly (readonly [id: string, overlay: Overlay])[];
  readonly component: Overlays['component'];
  /** Fields of the component, as the server had them before. */
  readonly replaced?: Partial<Component>;
  /** Change in the number of cards. */
  readonly countBy: number;
  /** The texts waited: cells that somebody else changed meanwhile must not be replaced. */
  readonly compare: boolean;
}

/** Keeps what is not written yet through a crash or a closed window. */
export interface PendingStore {
  save(pending: Overlays): Promise<void>;
}

/** Keeps what can be taken back beyond the life of a window. */
export interface StepStore {
  save(steps: KeptSteps): Promise<void>;
}

export interface TableServices {
  /**
   * Writes a commit. When it says `compare`, or whenever this window may not have seen the newest
   * cards, cells that differ from every text of their `bases` are left as they are.
   *
   * @returns the cells that were left
   */
  commit(commit: TableCommit): Promise<readonly Conflict[]>;
  readonly store: PendingStore;
  readonly steps?: StepStore;
  /** Resolves after that many milliseconds, or sooner when there is reason to think it would work now. */
  wait(ms: number): Promise<void>;
}

/** State of saving the table's own changes. */
export type SyncState =
  | { readonly at: 'saved' }
  | { readonly at: 'saving'; readonly cards: number }
  /** The server cannot be reached: they are kept here and go when it can. */
  | { readonly at: 'offline'; readonly cards: number }
  /** The server does not take them now: they are kept here and tried again by themselves. */
  | { readonly at: 'delayed'; readonly cards: number; readonly error: Error }
  /** The server will not take them: they are kept until the user decides. */
  | { readonly at: 'refused'; readonly cards: number; readonly error: Error };

/** Text typed into a card that somebody else deleted meanwhile. */
export interface Stranded {
  readonly card: string;
  readonly overlay: Overlay;
}

export interface TableState {
  /** The server's cards are here. */
  readonly loaded: boolean;
  readonly cards: readonly WithId<Card>[];
  readonly byId: ReadonlyMap<string, WithId<Card>>;
  readonly component: WithId<Component>;
  readonly sync: SyncState;
  readonly stranded: readonly Stranded[];
  /** Own texts of cells that somebody else changed first; a cell shows the other text. */
  readonly conflicts: readonly Conflict[];
  /** Nothing may be changed here. */
  readonly readOnly: boolean;
  /** Labels of what undo and redo would do; `undefined` when there is nothing. */
  readonly undo: string | undefined;
  readonly redo: string | undefined;
}

/** Result of one undo or redo. */
export interface Replayed {
  readonly label: string;
  readonly done: number;
  /** Places left alone because somebody else has changed them since. */
  readonly skipped: number;
}
