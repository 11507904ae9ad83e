import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Component, WithId } from '../documents/documents.ts';
import type { Unreadable } from '../mend/unreadable.ts';
import type { Project } from '../project/open-project.ts';
import { useCards } from '../project/queries.ts';
import type { CardTable } from './sync/card-table.ts';
import { openTable } from './sync/open-table.ts';
import type { TableState } from './sync/table-state.ts';

interface OpenTable {
  readonly table: CardTable;
  users: number;
  close(): void;
}

/** Tables in use, and those that are left but not written yet. */
const open = new Map<string, OpenTable>();

const keyOf = ({ owner, id }: Project, component: string) => `${owner}/${id}/${component}`;

function acquire(project: Project, component: WithId<Component>): OpenTable {
  const key = keyOf(project, component.id);
  let entry = open.get(key);
  if (!entry) {
    entry = { ...openTable(project, component), users: 0 };
    open.set(key, entry);
  }
  entry.users++;
  return entry;
}

/** Closed once nobody shows it and everything is written. */
function release(project: Project, component: string, entry: OpenTable): void {
  entry.users--;
  const key = keyOf(project, component);
  const finish = () => {
    if (entry.users > 0 || entry.table.snapshot().sync.at !== 'saved') return;
    stop();
    entry.close();
    if (open.get(key) === entry) open.delete(key);
  };
  const stop = entry.table.subscribe(finish);
  finish();
}

/** Keeps a component's table open though nobody shows it, so that what was done in it can be undone. @returns lets it go */
export function holdTable(project: Project, component: WithId<Component>): () => void {
  const taken = acquire(project, component);
  return () => release(project, component.id, taken);
}

const EMPTY: TableState | undefined = undefined;
const noSubscription = () => () => {};
const nothing = () => EMPTY;

export interface UsedTable {
  readonly table: CardTable | undefined;
  /** `undefined` until the cards are there. */
  readonly state: TableState | undefined;
  readonly error: Error | null;
  readonly unreadable: readonly Unreadable[];
}

/** A component's cards with everything typed here, and the means to change them. */
export function useCardTable(project: Project, component: WithId<Component>, readOnly = false): UsedTable {
  const cards = useCards(project, component.id);
  const [entry, setEntry] = useState<OpenTable>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a component that changes is told to the table below
  useEffect(() => {
    const taken = acquire(project, component);
    setEntry(taken);
    return () => release(project, component.id, taken);
  }, [project, component.id]);
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
