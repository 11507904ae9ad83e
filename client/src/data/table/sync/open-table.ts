import { connectionState } from '@sdk/connection';
import {
  deleteField,
  FieldPath,
  increment,
  runTransaction,
  serverTimestamp,
  type Transaction,
  updateDoc,
  type WriteBatch,
  writeBatch,
} from '@sdk/firestore';
import { createStore, del, get, keys, set, type UseStore } from 'idb-keyval';
import { sessionUser } from '../../account/session.ts';
import type { Card, Component, WithId } from '../../documents/documents.ts';
import { noteOwnChange } from '../../images/noted-changes.ts';
import type { OwnChanges } from '../../images/own-changes.ts';
import type { Project } from '../../project/open-project.ts';
import { freezeBeforeWriting } from '../../versions/automatic.ts';
import { changeBegins } from '../../versions/daily.ts';
import { holdLock, ifReleased } from '../../window-lock.ts';
import {
  applyOverlay,
  type Conflict,
  type Overlay,
  type Overlays,
  withoutConflicts,
} from '../changes/overlay.ts';
import { CardTable } from './card-table.ts';
import { stepStore, takeOverSteps } from './step-store.ts';
import type { TableCommit } from './table-state.ts';
import { waitForChance } from './wait-for-chance.ts';

/** This window, among those that keep unwritten changes on this machine. */
const WINDOW_ID = crypto.randomUUID();

let kept: UseStore | undefined;
const keptStore = () => {
  kept ??= createStore('tuckbox-unwritten', 'tables');
  return kept;
};

/** Stored form: pairs, because maps do not survive every browser's storage. */
interface Kept {
  readonly cards: readonly (readonly [string, Overlay])[];
  readonly component: Overlays['component'];
  readonly conflicts?: readonly Conflict[];
}

/** A component's table, writing to the server, keeping on this machine what is not written yet. */
export function openTable(
  project: Project,
  component: WithId<Component>,
): { table: CardTable; close(): void } {
  const prefix = `${sessionUser()?.uid}/${project.id}/${component.id}/`;
  const key = prefix + WINDOW_ID;
  let told = false;
  const table = new CardTable(component, {
    commit: async (commit) => {
      changeBegins(project.id);
      await freezeBeforeWriting(project.id, commit.cards.length);
      const conflicts = await write(project, component.id, commit);
      await noteOwnChange(project.id, (changes) => note(changes, component.id, commit));
      if (told) return conflicts;
      told = true;
      // Projects are listed by when they last changed; once per visit is enough.
      void updateDoc(project.details, { updatedAt: serverTimestamp() }).catch(() => undefined);
      return conflicts;
    },
    store: {
      save: async ({ cards, component: patch, conflicts = [] }) => {
        if (cards.size === 0 && !patch && conflicts.length === 0) await del(key, keptStore());
        else await set(key, { cards: [...cards], component: patch, conflicts } satisfies Kept, keptStore());
      },
    },
    steps: stepStore(key, Date.now),
    wait: waitForChance,
  });
  const release = holdLock(key);
  const adopt = async () => {
    await adoptOrphans(prefix, key, table).catch(() => undefined);
    await takeOverSteps(prefix, key, Date.now, (steps) => {
      table.adoptSteps(steps);
      return table.kept();
    });
  };
  void adopt().catch(() => undefined);
  return {
    table,
    close() {
      table.close();
      release();
    },
  };
}

/** Notes what a commit has replaced. */
function note(changes: OwnChanges, component: string, { cards, replaced }: TableCommit): void {
  if (replaced) changes.component(component, replaced);
  for (const [id, { add, bases = {} }] of cards) {
    const before = Object.entries(bases).map(([key, [first = '']]) => [key, first]);
    if (add || before.length > 0) changes.card(component, id, add ? null : Object.fromEntries(before));
  }
}

/** Takes over what windows kept that are no more. */
async function adoptOrphans(prefix: string, own: string, table: CardTable): Promise<void> {
  const all = (await keys<string>(keptStore())).filter((key) => key.startsWith(prefix) && key !== own);
  for (const key of all) {
    await ifReleased(key, async () => {
      const found = await get<Kept>(key, keptStore());
      if (!found) return;
      const { component, conflicts } = found;
      table.adopt({ cards: new Map(found.cards), component, ...(conflicts && { conflicts }) });
      await table.kept();
      await del(key, keptStore());
    });
  }
}

/** Answers the cells that were left as somebody else wrote them meanwhile. */
async function write(project: Project, component: string, commit: TableCommit): Promise<readonly Conflict[]> {
  const compared = commit.cards.filter(([, overlay]) => overlay.bases);
  const current = !commit.compare && connectionState(project.db) === 'online';
  if (current || compared.length === 0) {
    const batch = writeBatch(project.db);
    writeAll(batch, project, component, commit);
    await batch.commit();
    return [];
  }
  return runTransaction(project.db, async (transaction) => {
    const conflicts: Conflict[] = [];
    const cards = new Map(commit.cards);
    const found = await Promise.all(compared.map(([id]) => transaction.get(project.card(component, id))));
    for (const [i, [id, overlay]] of compared.entries()) {
      const card = found[i]?.data() as Card | undefined;
      if (!card) throw Object.assign(new Error(`The card ${id} was deleted.`), { code: 'not-found' });
      const split = withoutConflicts(id, overlay, card.cells);
      cards.set(id, split.overlay);
      conflicts.push(...split.conflicts);
    }
    writeAll(transaction, project, component, { ...commit, cards: [...cards] });
    return conflicts;
  });
}

function writeAll(
  writes: WriteBatch | Transaction,
  project: Project,
  component: string,
  commit: TableCommit,
): void {
  for (const [id, overlay] of commit.cards) writeCard(writes, project, component, id, overlay);
  const patch = Object.fromEntries(
    Object.entries(commit.component ?? {}).map(([name, value]) => [
      name,
      value === null ? deleteField() : JSON.parse(JSON.stringify(value)),
    ]),
  );
  const update = { ...patch, ...(commit.countBy !== 0 && { cardCount: increment(commit.countBy) }) };
  if (Object.keys(update).length > 0) writes.update(project.component(component), update);
}

function writeCard(
  batch: WriteBatch | Transaction,
  project: Project,
  component: string,
  id: string,
  overlay: Overlay,
): void {
  const ref = project.card(component, id);
  if (overlay.remove) {
    batch.delete(ref);
    return;
  }
  if (overlay.add) {
    const { id: _, ...value } = applyOverlay(id, undefined, overlay) ?? { ...overlay.add, id };
    batch.set(ref, value);
    return;
  }
  const entries: unknown[] = [
    ...Object.entries(overlay.cells).flatMap(([key, text]) => [new FieldPath('cells', key), text]),
    ...Object.entries(overlay.fields).flatMap(([name, value]) => [
      new FieldPath(name),
      value === null ? deleteField() : value,
    ]),
  ];
  const [path, value, ...rest] = entries;
  if (path instanceof FieldPath) batch.update(ref, path, value, ...rest);
}
