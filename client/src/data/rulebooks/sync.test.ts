import fc from 'fast-check';
import { collab } from 'prosemirror-collab';
import { EditorState, type Transaction } from 'prosemirror-state';
import { expect, test } from 'vitest';
import { noTermsOfProse, toProse } from '../../core/book/prose/convert.ts';
import { NoTermStep } from '../../core/book/prose/no-term-step.ts';
import { restored } from '../../core/book/prose/restore.ts';
import { proseSchema } from '../../core/book/prose/schema.ts';
import { emptyDoc, MAX_STEP_LENGTH, replay } from '../../core/book/prose/steps.ts';
import { hashAfter, NO_STEPS, VERSION_EVERY } from '../../core/book/prose/versions.ts';
import { hasNoTerm } from '../../core/book/references/no-terms.ts';
import type { StepStore, StoredStep } from './step-store.ts';
import { type Base, RulebookSync } from './sync.ts';

/** The server: steps in their order, each number once. */
class Server {
  readonly steps: StoredStep[] = [];
  readonly lines = new Set<Line>();

  append(number: number, client: string, text: string): boolean {
    if (number !== this.steps.length + 1) return false;
    this.steps.push({ number, client, by: client, at: number, text });
    return true;
  }
}

/** One writer's connection, which breaks now and then; an answer may get lost after the step was stored. */
class Line implements StepStore {
  online = true;
  losesAnswer = false;
  #take: ((steps: readonly StoredStep[]) => void) | undefined;
  #known = 0;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    server.lines.add(this);
  }

  follow(after: number, take: (steps: readonly StoredStep[]) => void): () => void {
    this.#known = after;
    this.#take = take;
    return () => undefined;
  }

  /** News from the server arrive. */
  deliver(): void {
    if (!this.online) return;
    const fresh = this.#server.steps.slice(this.#known);
    this.#known = this.#server.steps.length;
    if (fresh.length > 0) this.#take?.(fresh);
  }

  async append(number: number, client: string, text: string): Promise<boolean> {
    if (!this.online) throw new Error('offline');
    const stored = this.#server.append(number, client, text);
    if (this.losesAnswer) {
      this.losesAnswer = false;
      throw new Error('no answer');
    }
    return stored;
  }
}

class Writer {
  readonly line: Line;
  readonly sync: RulebookSync;
  state: EditorState;
  /** Versions that were due. */
  readonly kept: Base[] = [];
  #words = 0;
  readonly #name: string;

  constructor(server: Server, name: string) {
    this.#name = name;
    this.line = new Line(server);
    this.state = EditorState.create({ doc: emptyDoc(), plugins: [collab({ clientID: name })] });
    const self = this;
    const editor = {
      get state() {
        return self.state;
      },
      dispatch: (transaction: Transaction) => {
        self.state = self.state.apply(transaction);
      },
    };
    // Nothing is sent by time: the test says when.
    this.sync = new RulebookSync(
      this.line,
      editor,
      { doc: emptyDoc(), number: 0, hash: NO_STEPS },
      name,
      (base) => this.kept.push(base),
      () => () => undefined,
      () => 0,
    );
    this.sync.start((error) => {
      throw error;
    });
  }

  edit(change: (state: EditorState) => Transaction | undefined): void {
    const transaction = change(this.state);
    if (!transaction) return;
    this.state = this.state.apply(transaction);
    this.sync.changed();
  }

  /** Writes a word that nobody else writes, somewhere. */
  write(place: number): string {
    const word = `${this.#name}${this.#words++};`;
    this.edit(({ tr, doc }) => {
      const places: number[] = [];
      doc.descendants((node, pos) => {
        if (node.inlineContent) places.push(pos + 1, pos + 1 + node.content.size);
        return true;
      });
      return tr.insertText(word, places[place % places.length] ?? 1);
    });
    return word;
  }

  /** Divides a paragraph between two words. */
  split(place: number): void {
    this.edit(({ tr, doc }) => {
      const at = doc.resolve(1 + (place % Math.max(1, doc.content.size - 1)));
      const between = at.parent.textBetween(0, at.parentOffset).endsWith(';');
      return at.parent.type.name === 'paragraph' && between ? tr.split(at.pos) : undefined;
    });
  }

  /** Says that a word is no term, or takes that back. */
  turnTerm(place: number): void {
    this.edit(({ tr, doc }) => {
      const one = { words: ['deck', 'find', 'meld'][place % 3] ?? '', at: '' };
      return tr.step(new NoTermStep(one, !hasNoTerm(noTermsOfProse(doc), one)));
    });
  }

  setHeading(place: number): void {
    this.edit(({ tr, doc }) => {
      const at = doc.resolve(1 + (place % Math.max(1, doc.content.size - 1)));
      const inside = at.depth === 1 && at.parent.inlineContent;
      return inside
        ? tr.setBlockType(at.pos, at.pos, proseSchema.nodes.heading, { id: '', level: 2 })
        : undefined;
    });
  }
}

const action = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom(
    'write',
    'write',
    'split',
    'heading',
    'term',
    'send',
    'send',
    'receive',
    'offline',
    'online',
    'loses answer',
  ),
  place: fc.nat(10_000),
});

/** More stored steps than the changes of any test make: some changes go one in a step. */
const MOST_ROUNDS = 1_000;

async function settle(writers: readonly Writer[]): Promise<void> {
  for (const { line } of writers) {
    line.online = true;
    line.losesAnswer = false;
  }
  const settled = () =>
    writers.every(({ sync }) => sync.snapshot() === 'saved') &&
    new Set(writers.map(({ sync }) => sync.base.number)).size === 1;
  for (let round = 0; round < MOST_ROUNDS && (round === 0 || !settled()); round++) {
    for (const { line, sync } of writers) {
      line.deliver();
      await sync.flush();
      line.deliver();
    }
  }
}

test('three writers with spells offline and lost answers end with one text, and no word of it is lost or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 150 }), async (actions) => {
      const server = new Server();
      const writers = ['a', 'b', 'c'].map((name) => new Writer(server, name));
      const words: string[] = [];
      for (const { who, what, place } of actions) {
        const writer = writers[who] as Writer;
        if (what === 'write') words.push(writer.write(place));
        else if (what === 'split') writer.split(place);
        else if (what === 'heading') writer.setHeading(place);
        else if (what === 'term') writer.turnTerm(place);
        else if (what === 'send') await writer.sync.flush();
        else if (what === 'receive') writer.line.deliver();
        else if (what === 'loses answer') writer.line.losesAnswer = true;
        else writer.line.online = what === 'online';
      }
      await settle(writers);
      const { doc, skipped } = replay(server.steps.map(({ text }) => text));
      expect(skipped.size).toBe(0);
      for (const { state, sync } of writers) {
        expect(sync.snapshot()).toBe('saved');
        expect(state.doc.toJSON()).toEqual(doc.toJSON());
        expect(sync.base.doc.eq(doc)).toBe(true);
      }
      const text = doc.textContent;
      for (const word of words) expect(text.split(word)).toHaveLength(2);
      expect(text.length).toBe(words.join('').length);
    }),
    { numRuns: 100 },
  );
});

test('two writers with 500 edits each end with one text', async () => {
  const server = new Server();
  const writers = ['a', 'b'].map((name) => new Writer(server, name));
  const words: string[] = [];
  for (let at = 0; at < 500; at++) {
    for (const [who, writer] of writers.entries()) {
      writer.line.online = (at >> 4) % 3 !== who;
      words.push(writer.write(at * 7919));
      if (at % 5 === who) writer.split(at * 104_729);
      if (at % 3 === who) await writer.sync.flush();
      if (at % 4 === who) writer.line.deliver();
    }
  }
  await settle(writers);
  const [a, b] = writers;
  expect(a?.state.doc.toJSON()).toEqual(b?.state.doc.toJSON());
  const text = a?.state.doc.textContent ?? '';
  for (const word of words) expect(text.split(word)).toHaveLength(2);
});

test('a step that the schema refuses is skipped by everybody, keeps its number, and is named with its author', async () => {
  const server = new Server();
  const writers = ['a', 'b'].map((name) => new Writer(server, name));
  const word = writers[0]?.write(0) ?? '';
  await settle(writers);
  server.append(
    2,
    'mallory',
    '[{"stepType":"replace","from":0,"to":8,"slice":{"content":[{"type":"script"}]}}]',
  );
  writers[1]?.write(0);
  await settle(writers);
  expect(server.steps).toHaveLength(3);
  for (const { sync, state } of writers) {
    expect(sync.skipped()).toEqual([
      { number: 2, by: 'mallory', at: 2, message: expect.stringContaining('script') },
    ]);
    expect(state.doc.textContent).toContain(word);
  }
});

test('text that cannot be stored is said to be refused, and saved once it is undone', async () => {
  const writer = new Writer(new Server(), 'a');
  writer.edit(({ tr }) => tr.insertText('x'.repeat(30_000), 1));
  await writer.sync.flush();
  expect(writer.sync.snapshot()).toBe('refused');
  expect(String(writer.sync.error)).toContain('20000 characters');
  writer.edit(({ tr }) => tr.delete(1, 25_001));
  await writer.sync.flush();
  writer.line.deliver();
  expect(writer.sync.snapshot()).toBe('saved');
});

test('every two hundred steps, one of the writers keeps a version: the text of those steps, with their hash', async () => {
  const server = new Server();
  const writers = ['a', 'b'].map((name) => new Writer(server, name));
  for (let at = 0; server.steps.length < 2 * VERSION_EVERY + 1; at++) {
    const writer = writers[at % 2] as Writer;
    writer.write(at);
    writer.line.deliver();
    await writer.sync.flush();
  }
  await settle(writers);
  const kept = writers.flatMap((writer) => writer.kept).sort((a, b) => a.number - b.number);
  expect(kept.map(({ number }) => number)).toEqual([VERSION_EVERY, 2 * VERSION_EVERY]);
  for (const { number, doc, hash } of kept) {
    const texts = server.steps.slice(0, number).map(({ text }) => text);
    expect(doc.eq(replay(texts).doc)).toBe(true);
    expect(hash).toBe(texts.reduce((sum, text, step) => hashAfter(sum, step + 1, text), NO_STEPS));
  }
});

test('a long text is restored in several steps, and everybody has it afterwards', async () => {
  const server = new Server();
  const writers = ['a', 'b'].map((name) => new Writer(server, name));
  const [one, two] = writers as [Writer, Writer];
  const long = toProse(
    Array.from({ length: 60 }, (_, at) => ({
      type: 'paragraph' as const,
      id: `p${at}`,
      content: [{ type: 'text' as const, text: `${at} ${'word '.repeat(2_400)}` }],
    })),
  );
  two.write(0);
  await settle(writers);
  one.edit((state) => restored(state, long));
  await settle(writers);
  await settle(writers);
  expect(server.steps.length).toBeGreaterThan(2);
  for (const { text } of server.steps) expect(text.length).toBeLessThanOrEqual(MAX_STEP_LENGTH);
  for (const { state, sync } of writers) {
    expect(sync.snapshot()).toBe('saved');
    expect(state.doc.eq(long)).toBe(true);
  }
});
