import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { History, type Rebase } from './history.ts';

interface Doc {
  items: { id: number; n: number }[];
}

let now: number;
let history: History<Doc, string>;
const same = { before: '', after: '' };

/** Nobody else changes anything: the way back leads to where it began. */
const alone: Rebase<Doc> = (_, mine) => mine;

beforeEach(() => {
  now = 0;
  history = new History(alone, () => now);
});

const set = (n: number) => (draft: Doc) => {
  draft.items = [{ id: 1, n }];
};

describe('history', () => {
  it('comes back through any acts and forth again', () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), n: fc.nat() }),
      fc.record({ kind: fc.constant('drop' as const), n: fc.nat() }),
      fc.record({ kind: fc.constant('set' as const), n: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const fresh = new History<Doc, string>(alone, () => now);
        const states: Doc[] = [{ items: [] }];
        let doc = states[0] as Doc;
        for (const { kind, n } of acts) {
          const next = fresh.act(
            doc,
            ({ items }) => {
              const i = items.length === 0 ? 0 : n % items.length;
              const item = items[i];
              if (kind === 'add') items.splice(i, 0, { id: n, n });
              else if (kind === 'drop') items.splice(i, 1);
              else if (item) item.n = n;
            },
            same,
          );
          if (next !== doc) states.push(next);
          doc = next;
        }
        for (let i = states.length - 2; i >= 0; i--) {
          doc = fresh.undo(doc)?.document as Doc;
          expect(doc).toEqual(states[i]);
        }
        expect(fresh.undo(doc)).toBeUndefined();
        for (let i = 1; i < states.length; i++) {
          doc = fresh.redo(doc)?.document as Doc;
          expect(doc).toEqual(states[i]);
        }
      }),
    );
  });

  it('makes one entry of acts that follow closely under one key', () => {
    let doc: Doc = { items: [] };
    doc = history.act(doc, set(1), { before: 'a', after: 'b' }, 'k');
    now += 999;
    doc = history.act(doc, set(2), { before: 'b', after: 'c' }, 'k');
    now += 1_000;
    doc = history.act(doc, set(3), { before: 'c', after: 'd' }, 'k');
    const first = history.undo(doc);
    expect(first).toEqual({ document: { items: [{ id: 1, n: 2 }] }, selection: 'c' });
    expect(history.undo(first?.document as Doc)).toEqual({ document: { items: [] }, selection: 'a' });
  });

  it('forgets what was undone once something new is done', () => {
    let doc = history.act({ items: [] }, set(1), same);
    doc = history.undo(doc)?.document as Doc;
    history.act(doc, set(2), same);
    expect(history.canRedo).toBe(false);
  });

  it('remembers nothing of an act that changes nothing', () => {
    const doc: Doc = { items: [{ id: 1, n: 1 }] };
    expect(history.act(doc, (draft) => void (draft.items[0] as { n: number }).n, same)).toBe(doc);
    expect(history.canUndo).toBe(false);
  });

  it('asks for the way back and forth to be brought into what others made of the document', () => {
    const asked: [Doc, Doc, Doc][] = [];
    const shared = new History<Doc, string>((...documents) => {
      asked.push(documents);
      return documents[2];
    });
    const before: Doc = { items: [] };
    const after = shared.act(before, set(1), same);
    const theirs: Doc = { items: [{ id: 9, n: 9 }] };
    shared.undo(theirs);
    shared.redo(theirs);
    expect(asked).toEqual([
      [after, before, theirs],
      [before, after, theirs],
    ]);
  });

  it('puts what others change between two acts of one key in neither', () => {
    const first = history.act({ items: [] }, set(1), same, 'k');
    const changed: Doc = { items: [...first.items, { id: 9, n: 9 }] };
    const second = history.act(changed, ({ items }) => void items.pop(), same, 'k');
    expect(history.undo(second)?.document).toBe(changed);
    expect(history.canUndo).toBe(true);
  });

  it('forgets no act, however many there are', () => {
    const acts = 100_000;
    let doc: Doc = { items: [] };
    for (let i = 0; i < acts; i++) doc = history.act(doc, set(i), same);
    const last = doc;
    let undone = 0;
    for (let step = history.undo(doc); step; step = history.undo(doc)) {
      doc = step.document;
      undone++;
    }
    expect(undone).toBe(acts);
    expect(doc).toEqual({ items: [] });
    for (let step = history.redo(doc); step; step = history.redo(doc)) doc = step.document;
    expect(doc).toEqual(last);
  });
});
