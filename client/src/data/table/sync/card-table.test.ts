import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Card, Component, WithId } from '../../documents/documents.ts';
import type { Intent } from '../changes/change.ts';
import type { KeptSteps } from '../changes/history.ts';
import {
  applyOverlay,
  applyPatch,
  type Conflict,
  type Overlay,
  type Overlays,
  withoutConflicts,
} from '../changes/overlay.ts';
import { CardTable, MAX_COMMIT_DOCUMENTS } from './card-table.ts';
import type { TableCommit } from './table-state.ts';

const component: WithId<Component> = {
  id: 'c',
  name: 'Cards',
  kind: 'cards',
  layoutId: null,
  backLayoutId: null,
  columns: [{ key: 'a', name: 'A', type: 'text' }],
  order: 0,
  cardCount: 0,
};
const card = (id: string, order: number, cells: Record<string, string> = { a: id }): WithId<Card> => ({
  id,
  order,
  copies: 1,
  cells,
});
const cell = (id: string, text: string, key = 'a'): Intent => ({ kind: 'cell', card: id, key, text });

/** A server that commits when it is told to, and shows each client what it has when it is told to. */
class Server {
  cards = new Map<string, WithId<Card>>();
  component = component;
  count = 0;
  readonly commits: TableCommit[] = [];

  /** Compares every commit that asks for it, as the transaction does. */
  commit({ cards, ...rest }: TableCommit): readonly Conflict[] {
    const conflicts: Conflict[] = [];
    const split = cards.map(([id, overlay]): [string, Overlay] => {
      if (!rest.compare) return [id, overlay];
      const left = withoutConflicts(id, overlay, this.cards.get(id)?.cells ?? {});
      conflicts.push(...left.conflicts);
      return [id, left.overlay];
    });
    this.#write({ ...rest, cards: split });
    return conflicts;
  }

  #write(commit: TableCommit): void {
    for (const [id, overlay] of commit.cards) {
      if (!overlay.add && !overlay.remove && !this.cards.has(id)) {
        throw Object.assign(new Error('gone'), { code: 'not-found' });
      }
    }
    for (const [id, overlay] of commit.cards) {
      const next = applyOverlay(id, this.cards.get(id), overlay);
      if (next) this.cards.set(id, next);
      else this.cards.delete(id);
    }
    this.component = applyPatch(this.component, commit.component);
    this.count += commit.countBy;
    this.commits.push(commit);
  }

  list(): WithId<Card>[] {
    return [...this.cards.values()].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  }
}

/** A window on the server that can be cut off; retries happen when it is let through again. */
class Window {
  online = true;
  answersLost = false;
  /** The server takes nothing because of the account: what it says then. */
  exhausted: string | undefined;
  kept: Overlays | undefined;
  readonly table: CardTable;
  #wake: (() => void)[] = [];

  constructor(
    readonly server: Server,
    restored?: Overlays,
  ) {
    this.table = new CardTable(component, {
      commit: async (commit) => {
        if (this.exhausted) throw Object.assign(new Error(this.exhausted), { code: 'resource-exhausted' });
        if (!this.online) throw Object.assign(new Error('offline'), { code: 'unavailable' });
        const conflicts = this.server.commit(commit);
        // The answer is lost on its way: the window cannot know that it was written.
        if (this.answersLost) throw Object.assign(new Error('cut'), { code: 'unavailable' });
        return conflicts;
      },
      store: {
        save: async (pending) => {
          this.kept = structuredClone(pending);
        },
      },
      wait: () =>
        new Promise((resolve) =>
          this.online && !this.exhausted ? resolve() : void this.#wake.push(resolve),
        ),
    });
    if (restored) this.table.adopt(restored);
    this.see();
  }

  see(): void {
    this.table.setServer(this.server.list(), this.server.component);
  }

  connect(): void {
    this.online = true;
    this.exhausted = undefined;
    for (const wake of this.#wake.splice(0)) wake();
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.table.snapshot().sync.at !== 'saved') return;
        stop();
        resolve();
      };
      const stop = this.table.subscribe(check);
      check();
    });
  }

  cells(): Record<string, string> {
    return Object.fromEntries(this.table.snapshot().cards.map((one) => [one.id, one.cells.a ?? '']));
  }
}

function started(ids: readonly string[]) {
  const server = new Server();
  for (const [i, id] of ids.entries()) server.cards.set(id, card(id, i));
  server.count = ids.length;
  return { server, one: new Window(server), two: new Window(server) };
}

describe('writing', () => {
  it('writes one cell as one field of one document, and shows it at once', async () => {
    const { server, one } = started(['x', 'y']);
    one.table.run('Edit', [cell('x', 'new')]);
    expect(one.cells()).toEqual({ x: 'new', y: 'y' });
    await one.settled();
    expect(server.commits).toEqual([
      {
        compare: false,
        cards: [['x', { cells: { a: 'new' }, fields: {}, bases: { a: ['x'] } }]],
        component: undefined,
        countBy: 0,
      },
    ]);
  });

  it('writes a paste in bounded commits', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `c${String(i).padStart(4, '0')}`);
    const { server, one } = started(ids);
    one.table.run(
      'Paste',
      ids.map((id) => cell(id, 'p')),
    );
    await one.settled();
    expect(server.commits.map(({ cards }) => cards.length)).toEqual(Array(4).fill(MAX_COMMIT_DOCUMENTS));
  });

  it('keeps what is shown while the live query is behind, and gives way when it is ahead', async () => {
    const { server, one } = started(['x']);
    one.table.run('Edit', [cell('x', 'mine')]);
    await one.settled();
    // The query still shows the card as it was.
    expect(one.cells()).toEqual({ x: 'mine' });
    server.cards.set('x', card('x', 0, { a: 'theirs' }));
    one.see();
    expect(one.cells()).toEqual({ x: 'theirs' });
  });

  it('counts cards that come and go', async () => {
    const { server, one } = started(['x']);
    one.table.run('Add', [{ kind: 'add', card: 'n', value: { order: 1, copies: 1, cells: {} } }]);
    await one.settled();
    one.see();
    one.table.run('Delete', [
      { kind: 'remove', card: 'x' },
      { kind: 'remove', card: 'n' },
    ]);
    await one.settled();
    expect(server.count).toBe(0);
    expect(one.table.undo()).toEqual({ label: 'Delete', done: 2, skipped: 0 });
    await one.settled();
    expect([...server.cards.keys()].sort()).toEqual(['n', 'x']);
  });
});

describe('offline', () => {
  it('keeps what is typed, through a closed window too, and writes it when it can', async () => {
    const { server, one } = started(['x', 'y']);
    one.online = false;
    one.table.run('Edit', [cell('x', 'typed')]);
    await new Promise<void>((resolve) => {
      const stop = one.table.subscribe(() => {
        if (one.table.snapshot().sync.at !== 'offline') return;
        stop();
        resolve();
      });
    });
    one.table.run('Edit', [cell('y', 'too')]);
    await one.table.kept();
    expect(one.table.snapshot().sync).toEqual({ at: 'offline', cards: 2 });
    const again = new Window(server, one.kept);
    await again.settled();
    expect(server.list().map(({ cells }) => cells.a)).toEqual(['typed', 'too']);
  });

  it('is not said of an account without room: its texts wait until somebody makes some', async () => {
    const { server, one } = started(['x']);
    one.exhausted =
      'There is no room for this: the owner of this project has no more room for documents. Ask the owner to delete projects or cards for good, or to get more room.';
    const said = one.exhausted;
    one.table.run('Edit', [cell('x', 'typed')]);
    await new Promise<void>((resolve) => {
      const stop = one.table.subscribe(() => {
        if (one.table.snapshot().sync.at === 'saving') return;
        stop();
        resolve();
      });
    });
    expect(one.table.snapshot().sync).toMatchObject({
      at: 'refused',
      cards: 1,
      error: { message: said },
    });
    expect(server.list().map(({ cells }) => cells.a)).not.toContain('typed');
    one.exhausted = undefined;
    one.table.retry();
    await one.settled();
    expect(server.list().map(({ cells }) => cells.a)).toEqual(['typed']);
  });

  it('is not said of an account that writes too fast: its texts are tried again by themselves', async () => {
    const { server, one } = started(['x']);
    const said =
      'You have written so much that only 1200 documents a minute are taken: try again in 3 seconds.';
    one.exhausted = said;
    one.table.run('Edit', [cell('x', 'typed')]);
    await new Promise<void>((resolve) => {
      const stop = one.table.subscribe(() => {
        if (one.table.snapshot().sync.at === 'saving') return;
        stop();
        resolve();
      });
    });
    expect(one.table.snapshot().sync).toMatchObject({ at: 'delayed', cards: 1, error: { message: said } });
    expect(server.list().map(({ cells }) => cells.a)).not.toContain('typed');
    one.connect();
    await one.settled();
    expect(server.list().map(({ cells }) => cells.a)).toEqual(['typed']);
  });

  it('sets text aside whose card is gone, and writes the rest', async () => {
    const { server, one } = started(['x', 'y']);
    server.cards.delete('x');
    one.table.run('Edit', [cell('x', 'lost?'), cell('y', 'fine')]);
    await one.settled();
    one.see();
    expect(one.cells()).toEqual({ y: 'fine' });
    expect(one.table.snapshot().stranded).toEqual([
      { card: 'x', overlay: expect.objectContaining({ cells: { a: 'lost?' } }) },
    ]);
  });
});

describe('a text typed offline into a cell that somebody else changed since', () => {
  /** `one` typed offline, `other` wrote the same cell, then `one` is online again. */
  async function crossed() {
    const { server, one, other } = pair();
    one.online = false;
    one.table.run('edit', [cell('x', 'mine'), cell('x', 'also mine', 'b')]);
    other.table.run('edit', [cell('x', 'theirs')]);
    await other.settled();
    one.connect();
    await one.settled();
    one.see();
    return { server, one, other };
  }

  it('is set aside, the other cells are written', async () => {
    const { server, one } = await crossed();
    expect(server.cards.get('x')?.cells).toEqual({ a: 'theirs', b: 'also mine' });
    expect(one.cells()).toEqual({ x: 'theirs' });
    expect(one.table.snapshot().conflicts).toEqual([{ card: 'x', key: 'a', mine: 'mine' }]);
  });

  it('is written when the user says so', async () => {
    const { server, one } = await crossed();
    for (const conflict of one.table.snapshot().conflicts) one.table.resolveConflict(conflict, 'mine');
    await one.settled();
    expect(server.cards.get('x')?.cells.a).toBe('mine');
    expect(one.table.snapshot().conflicts).toEqual([]);
    one.see();
    one.table.undo();
    await one.settled();
    expect(server.cards.get('x')?.cells.a).toBe('theirs');
  });

  it('goes when the user says so, and nothing is kept of it', async () => {
    const { server, one } = await crossed();
    for (const conflict of one.table.snapshot().conflicts) one.table.resolveConflict(conflict, 'theirs');
    await one.table.kept();
    expect(server.cards.get('x')?.cells.a).toBe('theirs');
    expect(one.kept?.conflicts).toEqual([]);
  });

  it('is decided by what the user types into the cell next', async () => {
    const { server, one } = await crossed();
    one.table.run('edit', [cell('x', 'anew')]);
    await one.settled();
    expect(server.cards.get('x')?.cells.a).toBe('anew');
    expect(one.table.snapshot().conflicts).toEqual([]);
    expect(one.kept?.conflicts).toEqual([]);
  });

  it('is still to be decided in the next window', async () => {
    const { server, one } = await crossed();
    await one.table.kept();
    one.table.close();
    const next = new Window(server, one.kept);
    expect(next.table.snapshot().conflicts).toEqual([{ card: 'x', key: 'a', mine: 'mine' }]);
  });

  it('is shown as text of a deleted card when the card went meanwhile', async () => {
    const { server, one } = await crossed();
    server.cards.delete('x');
    one.see();
    for (const conflict of one.table.snapshot().conflicts) one.table.resolveConflict(conflict, 'mine');
    expect(one.table.snapshot().stranded).toEqual([
      { card: 'x', overlay: { cells: { a: 'mine' }, fields: {} } },
    ]);
  });

  it('is compared by the window that takes it over, too', async () => {
    const { server, one, other } = pair();
    one.online = false;
    one.table.run('edit', [cell('x', 'mine')]);
    await one.table.kept();
    one.table.close();
    other.table.run('edit', [cell('x', 'theirs')]);
    await other.settled();
    const next = new Window(server, one.kept);
    await next.settled();
    expect(server.cards.get('x')?.cells.a).toBe('theirs');
    expect(next.table.snapshot().conflicts).toEqual([{ card: 'x', key: 'a', mine: 'mine' }]);
  });

  it('is written when an older version kept it without the text it replaced', async () => {
    const { server } = pair();
    const next = new Window(server, {
      cards: new Map([['x', { cells: { a: 'kept' }, fields: {} }]]),
      component: undefined,
    });
    await next.settled();
    expect(server.cards.get('x')?.cells.a).toBe('kept');
  });

  function pair() {
    const server = new Server();
    server.cards.set('x', card('x', 0, { a: 'first', b: 'first' }));
    return { server, one: new Window(server), other: new Window(server) };
  }

  it('loses no text, whatever is typed, cut and lost; and never conflicts with the window itself', async () => {
    const edit = fc.record({ kind: fc.constant('edit' as const), who: fc.nat(1), at: fc.nat(2) });
    const cut = fc.record({ kind: fc.constantFrom('cut' as const, 'lose' as const, 'join' as const) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(edit, cut), { maxLength: 30 }), async (steps) => {
        const server = new Server();
        for (let at = 0; at < 3; at++) server.cards.set(`${at}`, card(`${at}`, at, { a: 'first' }));
        const one = new Window(server);
        const other = new Window(server);
        const last = new Map<string, string>();
        const join = async () => {
          one.answersLost = false;
          one.connect();
          await one.settled();
          one.see();
          other.see();
        };
        for (const [i, step] of steps.entries()) {
          if (step.kind === 'edit') {
            const window = step.who === 0 ? one : other;
            if (step.who === 1 || one.online) window.see();
            window.table.run('edit', [cell(`${step.at}`, `${step.who}:${i}`)]);
            last.set(`${step.who}/${step.at}`, `${step.who}:${i}`);
            await (step.who === 1 ? other.settled() : Promise.resolve());
          } else if (step.kind === 'cut') one.online = false;
          else if (step.kind === 'lose') one.answersLost = true;
          else await join();
        }
        await join();
        const conflicts = one.table.snapshot().conflicts;
        for (const { card: id, mine } of conflicts) {
          // Only another's text stands in the way of one's own.
          expect(server.cards.get(id)?.cells.a).toMatch(/^1:/);
          expect(last.get(`0/${id}`)).toBe(mine);
        }
        expect(other.table.snapshot().conflicts).toEqual([]);
        expect(one.cells()).toEqual(other.cells());
      }),
      { numRuns: 500 },
    );
  });
});

describe('undo after the page was loaded anew', () => {
  it('takes back what an earlier window did, an import too, below what was done since', async () => {
    const server = new Server();
    const first = new Window(server);
    let steps: KeptSteps = { done: [], undone: [] };
    const earlier = new CardTable(component, {
      commit: async (commit) => server.commit(commit),
      store: { save: async () => undefined },
      steps: {
        save: async (kept) => {
          steps = structuredClone({ done: [...kept.done], undone: [...kept.undone] });
        },
      },
      wait: () => Promise.resolve(),
    });
    earlier.setServer([], component);
    earlier.run('import', [
      { kind: 'add', card: 'x', value: { order: 0, copies: 1, cells: { a: 'brought in' } } },
      { kind: 'component', patch: { idColumn: 'a' } },
    ]);
    await earlier.kept();
    await vi.waitFor(() => expect(earlier.snapshot().sync.at).toBe('saved'));

    first.see();
    first.table.run('edit', [cell('x', 'changed')]);
    first.table.adoptSteps(steps);
    expect(first.table.snapshot().undo).toBe('edit');
    first.table.undo();
    expect(first.table.undo()).toEqual({ label: 'import', done: 2, skipped: 0 });
    expect(first.table.snapshot().cards).toEqual([]);
    expect(first.table.snapshot().component.idColumn).toBeUndefined();
    expect(first.table.redo()).toMatchObject({ label: 'import', done: 2 });
  });
});

describe('undo', () => {
  it('takes back own steps only, and nothing that somebody changed since', async () => {
    const { one, two } = started(['x', 'y']);
    one.table.run('Fill', [cell('x', 'f'), cell('y', 'f')]);
    await one.settled();
    two.see();
    two.table.run('Edit', [cell('y', 'theirs')]);
    await two.settled();
    one.see();
    expect(one.table.undo()).toEqual({ label: 'Fill', done: 1, skipped: 1 });
    expect(one.cells()).toEqual({ x: 'x', y: 'theirs' });
    expect(one.table.redo()).toEqual({ label: 'Fill', done: 1, skipped: 1 });
    expect(one.cells()).toEqual({ x: 'f', y: 'theirs' });
  });

  it('takes an earlier step back by itself, once, and leaves what was done after it', async () => {
    const { one } = started(['x', 'y']);
    one.table.run('import', [cell('x', 'imported'), cell('y', 'imported')]);
    const step = one.table.lastStep;
    if (!step) throw new Error('there is one');
    one.table.run('edit', [cell('y', 'mine')]);
    expect(one.table.canUndo(step)).toBe(true);
    expect(one.table.undo(step)).toEqual({ label: 'import', done: 1, skipped: 1 });
    expect(one.cells()).toEqual({ x: 'x', y: 'mine' });
    expect(one.table.canUndo(step)).toBe(false);
    expect(one.table.undo(step)).toBeUndefined();
    expect(one.table.snapshot().undo).toBe('edit');
    one.table.close();
    expect(one.table.lastStep && one.table.canUndo(one.table.lastStep)).toBe(false);
  });

  it('takes any run of steps back to the start', async () => {
    const ids = ['x', 'y', 'z'];
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('cell' as const),
        card: fc.constantFrom(...ids),
        key: fc.constantFrom('a', 'b'),
        text: fc.string(),
      }),
      fc.record({ kind: fc.constant('remove' as const), card: fc.constantFrom(...ids) }),
      fc.record({
        kind: fc.constant('add' as const),
        card: fc.constantFrom('x', 'new'),
        value: fc.record({ order: fc.integer(), copies: fc.constant(1), cells: fc.constant({ a: 'added' }) }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), async (steps) => {
        const { one } = started(ids);
        const texts = () =>
          one.table.snapshot().cards.map(({ id, order, cells }) => [id, order, cells.a ?? '', cells.b ?? '']);
        const before = texts();
        for (const intents of steps) one.table.run('Step', intents);
        const after = texts();
        while (one.table.undo());
        expect(texts()).toEqual(before);
        while (one.table.redo());
        expect(texts()).toEqual(after);
        await one.settled();
      }),
      { numRuns: 60 },
    );
  });
});

it('two windows, cut off at random, end alike and with the last word of each cell', async () => {
  const ids = ['x', 'y', 'z'];
  const action = fc.oneof(
    fc.record({
      who: fc.constantFrom(0, 1),
      do: fc.constant('type' as const),
      id: fc.constantFrom(...ids),
      text: fc.string({ minLength: 1, maxLength: 3 }),
    }),
    fc.record({ who: fc.constantFrom(0, 1), do: fc.constantFrom('see', 'cut', 'connect', 'settle', 'undo') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const { server, one, two } = started(ids);
      for (const act of actions) {
        const window = act.who === 0 ? one : two;
        if (act.do === 'type') window.table.run('Edit', [cell(act.id, act.text)]);
        if (act.do === 'see') window.see();
        if (act.do === 'undo') window.table.undo();
        if (act.do === 'cut') window.online = false;
        if (act.do === 'connect') window.connect();
        if (act.do === 'settle' && window.online) await window.settled();
      }
      for (const window of [one, two]) {
        window.connect();
        await window.settled();
      }
      one.see();
      two.see();
      const truth = Object.fromEntries(server.list().map(({ id, cells }) => [id, cells.a]));
      expect(one.cells()).toEqual(truth);
      expect(two.cells()).toEqual(truth);
    }),
    { numRuns: 100 },
  );
});
