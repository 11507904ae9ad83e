import type { Presence, WithId } from '../../../../data/documents/documents.ts';
import type { CardPoint } from '../handles/machine.ts';

/** Others at a layout, and this window's pointer on the card, which they see. */
export class LayoutPresence {
  #peers: readonly WithId<Presence>[] = [];
  #pointer: CardPoint | null = null;
  readonly #observers = new Set<() => void>();

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  readonly peers = (): readonly WithId<Presence>[] => this.#peers;
  /** The card's point under the pointer, in millimetres; `null` while it is elsewhere, and while nobody is there. */
  readonly pointer = (): CardPoint | null => this.#pointer;

  readonly setPeers = (peers: readonly WithId<Presence>[]): void => {
    if (peers.length === 0 && this.#peers.length === 0) return;
    this.#peers = peers;
    this.#notify();
  };

  setPointer(pointer: CardPoint | null): void {
    if (pointer === this.#pointer || (this.#peers.length === 0 && pointer !== null)) return;
    this.#pointer = pointer;
    this.#notify();
  }

  #notify(): void {
    for (const observer of this.#observers) observer();
  }
}
