import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Component, WithId } from '../documents.ts';
import { useCards } from '../queries.ts';
import type { CardTable, TableState } from './card-table.ts';
import { openTable } from './open-table.ts';

interface OpenTable {
  readonly table: CardTable;
  users: number;
  close(): void;
}

/** Tables in use, and those that are left but not written yet. */
const open = new Map<string, OpenTable>();

function acquire(deck: string, component: WithId<Component>): OpenTable {
  const key = `${deck}/${component.id}`;
  let entry = open.get(key);
  if (!entry) {
    entry = { ...openTable(deck, component), users: 0 };
    open.set(key, entry);
  }
  entry.users++;
  return entry;
}

/** Closed once nobody shows it and everything is written. */
function release(deck: string, component: string, entry: OpenTable): void {
  entry.users--;
  const finish = () => {
    if (entry.users > 0 || entry.table.snapshot().sync.at !== 'saved') return;
    stop();
    entry.close();
    if (open.get(`${deck}/${component}`) === entry) open.delete(`${deck}/${component}`);
  };
  const stop = entry.table.subscribe(finish);
  finish();
}

const EMPTY: TableState | undefined = undefined;
const noSubscription = () => () => {};
const nothing = () => EMPTY;

export interface UsedTable {
  readonly table: CardTable | undefined;
  /** `undefined` until the cards are there. */
  readonly state: TableState | undefined;
  readonly error: Error | null;
  readonly unreadable: readonly string[];
}

/** A component's cards with everything typed here, and the means to change them. */
export function useCardTable(deck: string, component: WithId<Component>, readOnly = false): UsedTable {
  const cards = useCards(deck, component.id);
  const [entry, setEntry] = useState<OpenTable>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a component that changes is told to the table below
  useEffect(() => {
    const taken = acquire(deck, component);
    setEntry(taken);
    return () => release(deck, component.id, taken);
  }, [deck, component.id]);
  useEffect(() => entry?.table.setReadOnly(readOnly), [entry, readOnly]);
  const items = cards.data?.items;
  useEffect(() => {
    if (entry && items) entry.table.setServer(items, component);
  }, [entry, items, component]);
  const state = useSyncExternalStore(
    entry ? entry.table.subscribe : noSubscription,
    entry ? entry.table.snapshot : nothing,
  );
  return {
    table: entry?.table,
    state: state?.loaded ? state : undefined,
    error: cards.error,
    unreadable: cards.data?.unreadable ?? [],
  };
}
