import { cellAt } from '../../../core/records.ts';
import type { Card, Component, WithId } from '../../documents/documents.ts';
import { isFull } from '../../server/messages.ts';
import { applies, type Change, changeOf, type Intent, inverse } from '../changes/change.ts';
import { History, type KeptSteps, type Step } from '../changes/history.ts';
import {
  afterFailedCommit,
  applyOverlay,
  applyPatch,
  type Conflict,
  merge,
  noOverlays,
  type Overlay,
  type Overlays,
  stack,
  weight,
  withoutCells,
} from '../changes/overlay.ts';
import type { Replayed, Stranded, SyncState, TableCommit, TableServices, TableState } from './table-state.ts';

/** Most documents written in one commit: a paste goes as several, and others get their turn between. */
export const MAX_COMMIT_DOCUMENTS = 250;
/** Heaviest commit, in characters of its cells. */
export const MAX_COMMIT_CHARACTERS = 1_000_000;
/** First and longest wait before what could not be written is tried again, in milliseconds. */
export const RETRY_MIN_MS = 1_000;
export const RETRY_MAX_MS = 30_000;

/** State while the server takes nothing, by the code of its refusal; other refusals last. */
const PASSING: Readonly<Record<string, 'offline' | 'delayed'>> = {
  unavailable: 'offline',
  'deadline-exceeded': 'offline',
  cancelled: 'offline',
  aborted: 'delayed',
  'resource-exhausted': 'delayed',
  internal: 'delayed',
};

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);
const isGone = (error: unknown) => codeOf(error) === 'not-found';
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/**
 * A component's table as this window has it: what the server last said, and over it what was typed
 * here and is not written yet. Changes show at once, are kept on this machine, and go to the server
 * in the order typed, in bounded commits; without a connection they wait. For each cell the last
 * writer wins, but a text that waited never replaces what somebody else wrote meanwhile: it is set
 * aside as a conflict, and the user chooses. Undo takes back this window's own steps, and only where nobody else wrote since.
 */
export class CardTable {
  readonly #services: TableServices;
  readonly #history = new History();
  readonly #observers = new Set<() => void>();
  #server = new Map<string, WithId<Card>>();
  #serverComponent: WithId<Component>;
  /** Written, but the live query has not shown it yet: the document as it was then, and as it is. */
  readonly #written = new Map<string, { seen: WithId<Card> | undefined; card: WithId<Card> | undefined }>();
  #flying: Overlays | undefined;
  #pending: Overlays = noOverlays();
  #stranded: readonly Stranded[] = [];
  #conflicts: readonly Conflict[] = [];
  /** Something of what is pending failed before or is an earlier window's: others may have edited since. */
  #waited = false;
  #refused: Error | undefined;
  /** The reason why changes wait that are tried again by themselves. */
  #delay: { readonly at: 'offline' } | { readonly at: 'delayed'; readonly error: Error } | undefined;
  #state: TableState;
  #flushing = false;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;
  #loaded = false;

  constructor(component: WithId<Component>, services: TableServices) {
    this.#services = services;
    this.#serverComponent = component;
    this.#state = {
      loaded: false,
      cards: [],
      byId: new Map(),
      component,
      sync: { at: 'saved' },
      stranded: [],
      conflicts: [],
      readOnly: false,
      undo: undefined,
      redo: undefined,
    };
  }

  /** Takes over what an earlier window kept and could not write; what was typed here since stays on top. */
  adopt(kept: Overlays): void {
    this.#land(kept);
    this.#setAside(kept.conflicts ?? []);
    this.#keep();
    this.#publish(new Set(kept.cards.keys()));
    void this.#flush();
  }

  /** Takes over what an earlier window could take back or do again. */
  adoptSteps(steps: KeptSteps): void {
    this.#history.restore(steps);
    this.#keepSteps();
    this.#publish(new Set());
  }

  readonly snapshot = (): TableState => this.#state;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Current result of the live query. Unchanged documents must keep their identity. */
  setServer(cards: readonly WithId<Card>[], component: WithId<Component>): void {
    const next = new Map(cards.map((card) => [card.id, card]));
    const touched = new Set<string>();
    for (const [id, card] of next) if (this.#server.get(id) !== card) touched.add(id);
    for (const id of this.#server.keys()) if (!next.has(id)) touched.add(id);
    this.#server = next;
    this.#serverComponent = component;
    this.#loaded = true;
    for (const [id, { seen }] of this.#written) {
      if (next.get(id) === seen) continue;
      this.#written.delete(id);
      touched.add(id);
    }
    this.#publish(touched);
  }

  /** Changes are turned away, or taken again; what was made by then still goes to the server. */
  setReadOnly(readOnly: boolean): void {
    if (this.#state.readOnly === readOnly) return;
    this.#state = { ...this.#state, readOnly };
    for (const observer of this.#observers) observer();
  }

  /** Does what the user asked for, as one step; answers how many places changed. */
  run(label: string, intents: readonly Intent[]): number {
    if (this.#state.readOnly) return 0;
    const changes: Change[] = [];
    // Later intents of one step see what earlier ones did.
    const seen = new Map<string, WithId<Card> | undefined>();
    let component = this.#state.component;
    for (const intent of intents) {
      const id = intent.kind === 'component' ? '' : intent.card;
      const card = seen.has(id) ? seen.get(id) : this.#state.byId.get(id);
      const change = changeOf(intent, card, component);
      if (!change) continue;
      changes.push(change);
      if (change.kind === 'component') component = applyPatch(component, change.after);
      else seen.set(id, after(change, card));
    }
    if (changes.length === 0) return 0;
    this.#history.push({ label, changes });
    this.#keepSteps();
    this.#take(changes);
    return changes.length;
  }

  /** Takes the last step back, or the one that is given; `undefined` when there is none. */
  undo(wanted?: Step): Replayed | undefined {
    const step = this.#state.readOnly ? undefined : this.#history.takeUndo(wanted);
    if (step) this.#keepSteps();
    return step && this.#replay(step.label, [...step.changes].reverse().map(inverse));
  }

  /** The step that was done last. */
  get lastStep(): Step | undefined {
    return this.#history.undoable;
  }

  /** True if a step can still be undone: not twice, nor after the table was closed. */
  canUndo(step: Step): boolean {
    return !this.#closed && !this.#state.readOnly && this.#history.has(step);
  }

  /** Does again what was taken back. */
  redo(): Replayed | undefined {
    const step = this.#state.readOnly ? undefined : this.#history.takeRedo();
    if (step) this.#keepSteps();
    return step && this.#replay(step.label, step.changes);
  }

  /** Tries again what the server refused. */
  retry(): void {
    this.#refused = undefined;
    void this.#flush();
  }

  /** Lets go of what the server refused. */
  discard(): void {
    const touched = new Set(this.#pending.cards.keys());
    this.#pending = noOverlays();
    this.#refused = undefined;
    this.#keep();
    this.#publish(touched);
  }

  /** Text for cards that are gone has been seen to. */
  dismissStranded(): void {
    this.#stranded = [];
    this.#publish(new Set());
  }

  /** Writes this window's text over the other one, or lets go of it. */
  resolveConflict(conflict: Conflict, keep: 'mine' | 'theirs'): void {
    if (this.#state.readOnly) return;
    const { card, key, mine } = conflict;
    this.#conflicts = this.#conflicts.filter((one) => one.card !== card || one.key !== key);
    if (keep === 'mine' && !this.#state.byId.has(card)) {
      this.#stranded = [...this.#stranded, { card, overlay: { cells: { [key]: mine }, fields: {} } }];
    }
    this.#keep();
    this.#publish(new Set());
    if (keep === 'mine') this.run('Keep my text', [{ kind: 'cell', card, key, text: mine }]);
  }

  /** Resolves when everything typed so far is kept on this machine. */
  kept(): Promise<void> {
    return this.#saving;
  }

  /** No commit is begun after this. */
  close(): void {
    this.#closed = true;
    for (const observer of this.#observers) observer();
  }

  #replay(label: string, changes: readonly Change[]): Replayed {
    const done: Change[] = [];
    const seen = new Map<string, WithId<Card> | undefined>();
    for (const change of changes) {
      const id = change.kind === 'component' ? '' : change.card;
      const card = seen.has(id) ? seen.get(id) : this.#state.byId.get(id);
      if (!applies(change, card, this.#state.component)) continue;
      done.push(change);
      if (change.kind !== 'component') seen.set(id, after(change, card));
    }
    this.#take(done);
    return { label, done: done.length, skipped: changes.length - done.length };
  }

  #take(changes: readonly Change[]): void {
    const touched = new Set<string>();
    for (const change of changes) {
      stack(this.#pending, change);
      if (change.kind !== 'component') touched.add(change.card);
    }
    // A new text in the cell is the user's decision.
    this.#conflicts = this.#conflicts.filter(
      ({ card, key }) =>
        !changes.some((change) => change.kind === 'cell' && change.card === card && change.key === key),
    );
    this.#keep();
    this.#publish(touched);
    void this.#flush();
  }

  /** Saves are taken one after the other; each saves the newest. */
  #keep(): void {
    this.#saving = this.#saving.then(() =>
      this.#services.store.save(this.#unwritten()).catch(() => undefined),
    );
  }

  /** As above; a step that cannot be kept is one that no later window takes back. */
  #keepSteps(): void {
    const { steps } = this.#services;
    if (!steps) return;
    this.#saving = this.#saving.then(() => steps.save(this.#history.steps).catch(() => undefined));
  }

  #unwritten(): Overlays {
    const conflicts = this.#conflicts;
    if (!this.#flying) return { ...this.#pending, conflicts };
    const cards = new Map(this.#flying.cards);
    for (const [id, overlay] of this.#pending.cards) cards.set(id, merge(cards.get(id), overlay));
    return { cards, component: joined(this.#flying.component, this.#pending.component), conflicts };
  }

  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    let backoff = RETRY_MIN_MS;
    try {
      while (!this.#closed && !this.#refused && hasAny(this.#pending)) {
        const flying = this.#takeOff();
        this.#publish(new Set());
        const error = await this.#write(flying);
        if (error === undefined) {
          this.#delay = undefined;
          if (!hasAny(this.#pending)) this.#waited = false;
          backoff = RETRY_MIN_MS;
          continue;
        }
        const at = isFull(error) ? undefined : PASSING[codeOf(error)];
        if (!at) {
          this.#refused = asError(error);
          break;
        }
        this.#delay = at === 'offline' ? { at } : { at, error: asError(error) };
        this.#publish(new Set());
        await this.#services.wait(backoff);
        backoff = Math.min(RETRY_MAX_MS, backoff * 2);
      }
    } finally {
      this.#flushing = false;
      this.#publish(new Set());
    }
  }

  /** As much of what is pending as one commit takes. */
  #takeOff(): Overlays {
    const flying = noOverlays();
    flying.component = this.#pending.component;
    this.#pending.component = undefined;
    let characters = 0;
    for (const [id, overlay] of this.#pending.cards) {
      characters += weight(overlay);
      if (flying.cards.size >= MAX_COMMIT_DOCUMENTS) break;
      if (flying.cards.size > 0 && characters > MAX_COMMIT_CHARACTERS) break;
      flying.cards.set(id, overlay);
      this.#pending.cards.delete(id);
    }
    this.#flying = flying;
    return flying;
  }

  /** Commits; answers the error that keeps it all waiting, if any. */
  async #write(flying: Overlays): Promise<unknown> {
    const before = new Map([...flying.cards.keys()].map((id) => [id, this.#server.get(id)]));
    try {
      const left = await this.#services.commit(this.#commitOf([...flying.cards], flying.component));
      this.#leave(flying, left);
    } catch (error) {
      if (isGone(error) && flying.cards.size > 0) return this.#writeSingly(flying, before);
      this.#land(flying);
      return error ?? new Error('The server refused without a reason.');
    }
    this.#settle(flying.cards, before);
    return undefined;
  }

  /** A card of the commit is gone: the others are written, and its text is set aside. */
  async #writeSingly(
    flying: Overlays,
    before: ReadonlyMap<string, WithId<Card> | undefined>,
  ): Promise<unknown> {
    const entries = [...flying.cards];
    for (const [i, entry] of entries.entries()) {
      const component = i === 0 ? flying.component : undefined;
      try {
        const left = await this.#services.commit(this.#commitOf([entry], component));
        this.#leave(flying, left);
      } catch (error) {
        if (isGone(error)) {
          const [card, overlay] = entry;
          if (Object.keys(overlay.cells).length > 0) this.#stranded = [...this.#stranded, { card, overlay }];
          if (component) stack(this.#pending, { kind: 'component', before: {}, after: component });
        } else {
          flying.cards.clear();
          for (const left of entries.slice(i)) flying.cards.set(...left);
          flying.component = component;
          this.#land(flying);
          return error ?? new Error('The server refused without a reason.');
        }
      }
      const overlay = flying.cards.get(entry[0]) ?? entry[1];
      flying.cards.delete(entry[0]);
      flying.component = undefined;
      this.#settleOne([entry[0], overlay], before);
    }
    this.#settle(new Map(), before);
    return undefined;
  }

  #commitOf(cards: [string, Overlay][], component: Overlays['component']): TableCommit {
    let countBy = 0;
    for (const [id, overlay] of cards) {
      if (overlay.add && !this.#server.has(id)) countBy++;
      if (overlay.remove && this.#server.has(id)) countBy--;
    }
    const names = Object.keys(component ?? {}) as (keyof NonNullable<typeof component>)[];
    const replaced = Object.fromEntries(names.map((name) => [name, this.#serverComponent[name]]));
    return { cards, component, ...(component && { replaced }), countBy, compare: this.#waited };
  }

  /** Cells of a commit that were left as somebody else wrote them. */
  #leave(flying: Overlays, left: readonly Conflict[]): void {
    for (const conflict of left) {
      const overlay = flying.cards.get(conflict.card);
      if (overlay) flying.cards.set(conflict.card, withoutCells(overlay, [conflict]));
      this.#waited = true;
    }
    this.#setAside(left);
  }

  /** The newest own text of a cell takes the place of an older one. */
  #setAside(conflicts: readonly Conflict[]): void {
    const same = (a: Conflict, b: Conflict) => a.card === b.card && a.key === b.key;
    this.#conflicts = [
      ...this.#conflicts.filter((old) => !conflicts.some((one) => same(one, old))),
      ...conflicts,
    ];
  }

  /** Failed changes go back under those typed since. */
  #land(flying: Overlays): void {
    this.#waited = true;
    const cards = new Map([...flying.cards].map(([id, overlay]) => [id, afterFailedCommit(overlay)]));
    for (const [id, overlay] of this.#pending.cards) cards.set(id, merge(cards.get(id), overlay));
    this.#pending = { cards, component: joined(flying.component, this.#pending.component) };
    if (this.#flying === flying) this.#flying = undefined;
  }

  #settle(cards: ReadonlyMap<string, Overlay>, before: ReadonlyMap<string, WithId<Card> | undefined>): void {
    this.#flying = undefined;
    for (const entry of cards) this.#settleOne(entry, before);
    this.#keep();
    this.#publish(new Set(before.keys()));
  }

  /** Shows a written card until the live query does; a query that has moved on knows better. */
  #settleOne([id, overlay]: [string, Overlay], before: ReadonlyMap<string, WithId<Card> | undefined>): void {
    const seen = this.#server.get(id);
    if (seen !== before.get(id)) return;
    const earlier = this.#written.get(id);
    const base = earlier ? earlier.card : seen;
    const card = applyOverlay(id, base, overlay);
    if (card !== seen) this.#written.set(id, { seen, card });
  }

  #cardNow(id: string): WithId<Card> | undefined {
    const written = this.#written.get(id);
    const base = written ? written.card : this.#server.get(id);
    const flown = applyOverlay(id, base, this.#flying?.cards.get(id));
    return applyOverlay(id, flown, this.#pending.cards.get(id));
  }

  #publish(touched: ReadonlySet<string>): void {
    const old = this.#state;
    let { cards, byId } = old;
    const changed = [...touched].flatMap((id) => {
      const card = this.#cardNow(id);
      return card === old.byId.get(id) ? [] : [[id, card] as const];
    });
    if (changed.length > 0) {
      const map = new Map(old.byId);
      let sameOrder = true;
      for (const [id, card] of changed) {
        const was = map.get(id);
        if (!was || !card || was.order !== card.order) sameOrder = false;
        if (card) map.set(id, card);
        else map.delete(id);
      }
      byId = map;
      cards = sameOrder ? old.cards.map((card) => map.get(card.id) ?? card) : [...map.values()].sort(byOrder);
    }
    const component = applyPatch(
      this.#serverComponent,
      joined(this.#flying?.component, this.#pending.component),
    );
    // Both texts are one again: there is nothing to decide.
    const conflicts = this.#conflicts.filter(({ card, key, mine }) => {
      const now = byId.get(card);
      return !now || cellAt(now.cells, key) !== mine;
    });
    this.#state = {
      loaded: this.#loaded,
      cards,
      byId,
      component: same(component, old.component) ? old.component : component,
      sync: this.#sync(),
      stranded: this.#stranded,
      conflicts,
      readOnly: old.readOnly,
      undo: this.#history.undoable?.label,
      redo: this.#history.redoable?.label,
    };
    for (const observer of this.#observers) observer();
  }

  #sync(): SyncState {
    const ids = new Set([...(this.#flying?.cards.keys() ?? []), ...this.#pending.cards.keys()]);
    const any = ids.size > 0 || this.#flying?.component || this.#pending.component;
    if (!any) return { at: 'saved' };
    const cards = ids.size;
    if (this.#refused) return { at: 'refused', cards, error: this.#refused };
    return this.#delay ? { ...this.#delay, cards } : { at: 'saving', cards };
  }
}

const byOrder = (a: WithId<Card>, b: WithId<Card>) => a.order - b.order || (a.id < b.id ? -1 : 1);
const hasAny = (overlays: Overlays) => overlays.cards.size > 0 || overlays.component !== undefined;
const same = (a: object, b: object) => a === b || JSON.stringify(a) === JSON.stringify(b);

function joined(a: Overlays['component'], b: Overlays['component']): Overlays['component'] {
  return a && b ? { ...a, ...b } : (b ?? a);
}

function after(
  change: Exclude<Change, { kind: 'component' }>,
  card: WithId<Card> | undefined,
): WithId<Card> | undefined {
  const overlays = noOverlays();
  stack(overlays, change);
  return applyOverlay(change.card, card, overlays.cards.get(change.card));
}
