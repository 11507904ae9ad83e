import { createContext } from 'react';
import type { Presence, WithId } from '../../../../../data/documents/documents.ts';

/** Other windows in this table, by the cell their cursor is on. */
export class Peers {
  #list: readonly WithId<Presence>[] = [];
  #byCell = new Map<string, WithId<Presence>>();
  readonly #observers = new Set<() => void>();

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  readonly list = (): readonly WithId<Presence>[] => this.#list;

  readonly any = (): boolean => this.#list.length > 0;

  at(card: string, column: string): WithId<Presence> | undefined {
    return this.#byCell.get(`${card}/${column}`);
  }

  set(list: readonly WithId<Presence>[]): void {
    this.#list = list;
    this.#byCell = new Map(
      list.flatMap((peer) =>
        peer.card !== null && peer.column !== null ? [[`${peer.card}/${peer.column}`, peer] as const] : [],
      ),
    );
    for (const observer of this.#observers) observer();
  }
}

export const PeersContext = createContext(new Peers());
