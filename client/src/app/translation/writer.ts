import type { ImportPlan } from '../../core/translation/import.ts';
import {
  checkedText,
  type Entries,
  type Entry,
  type TranslatedUnit,
  withSettled,
} from '../../core/translation/translation.ts';
import { describeError } from '../../data/server/messages.ts';
import { type Draft, type Drafts, withDraft, withGone, withoutStored } from './drafts.ts';

type Changes = ReadonlyMap<string, Entry | null>;

/** Stores changes of texts of which nobody changed what was expected, and answers what those were before. */
export type StoreChanges = (changes: Changes, expected?: Changes) => Promise<Changes>;

/** A change that can be taken back. */
interface Done {
  readonly words: string;
  readonly before: Changes;
  readonly after: Changes;
}

const CONFLICT = 'Somebody else has translated this at the same time. Save once more to replace it.';

/** Most changes that can be taken back. */
const MAX_UNDO = 100;

/** State of somebody's writing. */
export interface Writing {
  readonly drafts: Drafts;
  /** The change that undo would take back, in words. */
  readonly undoes: string | undefined;
  /** Reason why undo failed. */
  readonly problem: string | undefined;
}

/** One person's writing of one translation: what is typed, on its way, stored, and can be taken back. */
export class TranslationWriter {
  #writing: Writing;
  #units: ReadonlyMap<string, TranslatedUnit> = new Map();
  #entries: Entries = new Map();
  #done: readonly Done[] = [];
  /** The last that was stored of a text, until it comes back, and all that may come back before it. */
  readonly #sent = new Map<
    string,
    { readonly before: readonly (Entry | null)[]; readonly entry: Entry | null }
  >();
  readonly #flying = new Map<
    string,
    { readonly text: string | undefined; readonly saved: Promise<boolean> }
  >();
  /** Taking back that has not ended; what is stored meanwhile waits for it. */
  #undoing: Promise<unknown> | undefined;
  /** Files that are being stored. */
  readonly #taking = new Set<Promise<unknown>>();
  readonly #observers = new Set<() => void>();
  readonly #store: StoreChanges;
  readonly #keep: (drafts: Drafts) => void;
  readonly #tellGone: (drafts: readonly Draft[]) => void;

  /**
   * @param keep called with the texts that are typed and not stored, whenever they change
   * @param tellGone called with drafts of texts that the rulebook no longer has, once
   */
  constructor(
    store: StoreChanges,
    drafts: Drafts,
    keep: (drafts: Drafts) => void,
    tellGone: (drafts: readonly Draft[]) => void,
  ) {
    this.#store = store;
    this.#keep = keep;
    this.#tellGone = tellGone;
    this.#writing = { drafts, undoes: undefined, problem: undefined };
  }

  readonly snapshot = (): Writing => this.#writing;
  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Takes the translation in as it is stored now. */
  follow(units: readonly TranslatedUnit[], entries: Entries): void {
    this.#units = new Map(units.map((one) => [one.unit.id, one]));
    this.#entries = entries;
    for (const [id, { before, entry }] of this.#sent) {
      const stored = this.#stored(id);
      if (isSame(stored, entry) || !before.some((one) => isSame(stored, one))) this.#sent.delete(id);
    }
    const { drafts, gone } = withGone(withoutStored(this.#writing.drafts, units), this.#units);
    this.#setDrafts(drafts);
    const unsaved = gone.filter(({ stored }) => !stored);
    if (unsaved.length > 0) this.#tellGone(unsaved);
  }

  type(unit: string, text: string): void {
    const before = this.#writing.drafts.get(unit);
    const began = before?.stored ? undefined : before?.source;
    const source = began ?? this.#units.get(unit)?.unit.source;
    this.#setDraft(unit, { text, source, ...(before?.replaces && { replaces: true }) });
  }

  /** Stores what was typed, or accepts a stale translation as it is; false if it cannot be stored. */
  save(unit: string, accept = false): Promise<boolean> {
    const text = this.#writing.drafts.get(unit)?.text;
    const known = this.#flying.get(unit);
    // Leaving a field right after its keys stored it stores nothing twice.
    if (known && (text === undefined || known.text === text)) return known.saved;
    const saved = this.#afterUndo(() => this.#save(unit, accept)).finally(() => {
      if (this.#flying.get(unit)?.saved === saved) this.#flying.delete(unit);
    });
    this.#flying.set(unit, { text, saved });
    return saved;
  }

  /**
   * Stores what was typed into several texts, all that can be stored as one change. The others are kept as drafts, each
   * with its problem. Answers whether there is a change to take back.
   */
  async saveAll(words: string, texts: ReadonlyMap<string, string>): Promise<boolean> {
    for (const [id, text] of texts) this.type(id, text);
    const stored = this.#afterUndo(() => this.#saveAll(words, texts));
    this.#taking.add(stored);
    return stored.finally(() => this.#taking.delete(stored));
  }

  async #saveAll(words: string, texts: ReadonlyMap<string, string>): Promise<boolean> {
    const changes = new Map<string, Entry | null>();
    const refuse = (id: string, text: string, problem: string, replaces?: true): void => {
      const source = this.#writing.drafts.get(id)?.source;
      this.#settle(id, text, { text, source, problem, ...(replaces && { replaces }) });
    };
    for (const [id, text] of texts) {
      const one = this.#units.get(id);
      const isThere = text === (this.#own(id)?.text ?? '') && one?.state !== 'stale';
      if (!one || isThere) {
        this.#setDraft(id, undefined);
        continue;
      }
      try {
        const source = this.#writing.drafts.get(id)?.source ?? one.unit.source;
        const entry = { source, text: text.trim() === '' ? '' : checkedText({ ...one.unit, source }, text) };
        changes.set(id, entry.text === '' ? null : entry);
      } catch (error) {
        refuse(id, text, describeError(error));
      }
    }
    const expected = new Map([...changes.keys()].map((id) => [id, this.#own(id)]));
    try {
      const before = changes.size > 0 ? await this.#storeAll(words, changes, expected) : new Map();
      for (const id of changes.keys()) {
        const text = texts.get(id) ?? '';
        if (!before.has(id)) refuse(id, text, CONFLICT, true);
        else this.#settle(id, text, { text, stored: { before: this.#units.get(id)?.text } });
      }
      return before.size > 0;
    } catch (error) {
      for (const id of changes.keys()) refuse(id, texts.get(id) ?? '', describeError(error));
      return false;
    }
  }

  /** Takes a file over that was planned. @throws when it cannot be stored */
  async take({ items }: ImportPlan, from: string): Promise<void> {
    const entries = items.flatMap(({ id, entry }): [string, Entry][] => (entry ? [[id, entry]] : []));
    const taken = this.#afterUndo(() => this.#storeAll(`the import of ${from}`, new Map(entries)));
    this.#taking.add(taken);
    await taken.finally(() => this.#taking.delete(taken));
  }

  /**
   * Takes the last change back, in the texts that nobody has changed since. What is on its way is stored before, and
   * is the last change then; asked twice, it takes two changes back, one after the other. Answers false if the change is
   * still there to be taken back: `problem` says why.
   */
  undo(): Promise<boolean> {
    const onTheWay = this.#onTheWay();
    const before = this.#undoing;
    const undoing = Promise.allSettled([before, ...onTheWay])
      .then(() => this.#undoLast())
      .finally(() => {
        if (this.#undoing === undoing) this.#undoing = undefined;
      });
    this.#undoing = undoing;
    return undoing;
  }

  /** Settles when nothing is on its way that was stored or taken back until now. */
  async whenSettled(): Promise<void> {
    await Promise.allSettled([this.#undoing, ...this.#onTheWay()]);
  }

  #onTheWay(): readonly Promise<unknown>[] {
    return [...[...this.#flying.values()].map(({ saved }) => saved), ...this.#taking];
  }

  async #afterUndo<T>(run: () => Promise<T>): Promise<T> {
    // Not for one that is asked for later: that waits for this.
    const undoing = this.#undoing;
    if (undoing) await undoing;
    return run();
  }

  async #undoLast(): Promise<boolean> {
    const last = this.#done.at(-1);
    if (!last) return true;
    try {
      const restored = await this.#store(last.before, last.after);
      this.#done = this.#done.filter((one) => one !== last);
      for (const [id, entry] of last.before) {
        if (!restored.has(id)) continue;
        this.#send(id, last.after.get(id) ?? null, entry);
        if (this.#writing.drafts.get(id)?.stored) this.#setDraft(id, undefined);
      }
      const problem =
        restored.size > 0 ? undefined : 'Somebody else has changed it since, so it was not undone.';
      this.#set({ undoes: this.#done.at(-1)?.words, problem });
      return true;
    } catch (error) {
      this.#set({ problem: describeError(error) });
      return false;
    }
  }

  async #save(id: string, accept: boolean): Promise<boolean> {
    const one = this.#units.get(id);
    const draft = this.#writing.drafts.get(id);
    if (!one || draft?.stored) return true;
    const { unit } = one;
    const sent = this.#sent.get(id);
    const stored = sent ? sent.entry?.text : one.text;
    const stale = sent ? sent.entry !== null && sent.entry.source !== unit.source : one.state === 'stale';
    const text = draft?.text ?? (accept && stale ? stored : undefined);
    if (text === undefined || (text === (stored ?? '') && !(accept && stale))) {
      this.#setDraft(id, undefined);
      return true;
    }
    try {
      const source = draft?.source ?? unit.source;
      const entry = text.trim() === '' ? null : { source, text: checkedText({ ...unit, source }, text) };
      const expected = draft?.replaces ? undefined : new Map([[id, this.#own(id)]]);
      const before = await this.#storeAll(wordsFor(entry, stored), new Map([[id, entry]]), expected);
      if (before.has(id)) {
        this.#settle(id, text, text === stored ? undefined : { text, stored: { before: one.text } });
        return true;
      }
      this.#settle(id, text, { text, source: draft?.source, problem: CONFLICT, replaces: true });
    } catch (error) {
      this.#settle(id, text, { text, source: draft?.source, problem: describeError(error) });
    }
    return false;
  }

  async #storeAll(words: string, wanted: Changes, expected?: Changes): Promise<Changes> {
    const after = withSettled(wanted, [...this.#units.values()], this.#entries);
    const before = await this.#store(after, expected);
    for (const [id, was] of before) {
      // A text that has come back already is not waited for.
      if (isSame(this.#own(id), was)) this.#send(id, was, after.get(id) ?? null);
    }
    if (before.size > 0) {
      const made = new Map([...after].filter(([id]) => before.has(id)));
      this.#done = [...this.#done, { words, before, after: made }].slice(-MAX_UNDO);
      this.#set({ undoes: words });
    }
    return before;
  }

  /** Waits for a text to come back: it may be stored several times before the first does. */
  #send(id: string, was: Entry | null, entry: Entry | null): void {
    const before = [...(this.#sent.get(id)?.before ?? []), was].slice(-MAX_UNDO);
    this.#sent.set(id, { before, entry });
  }

  /** A text as it is stored as far as it is known, and as it is where it was stored from here. */
  #stored(id: string): Entry | null {
    return this.#entries.get(id) ?? null;
  }
  #own(id: string): Entry | null {
    const sent = this.#sent.get(id);
    return sent ? sent.entry : this.#stored(id);
  }

  /** Says what became of a text, unless another was typed meanwhile. */
  #settle(id: string, of: string, draft: Draft | undefined): void {
    const typed = this.#writing.drafts.get(id)?.text;
    if (typed !== undefined && typed !== of) return;
    // It may have come back before the answer.
    const back = draft?.stored && this.#units.get(id)?.text !== draft.stored.before;
    this.#setDraft(id, back ? undefined : draft);
  }

  #setDraft(id: string, draft: Draft | undefined): void {
    this.#setDrafts(withDraft(this.#writing.drafts, id, draft));
  }

  #setDrafts(drafts: Drafts): void {
    if (drafts === this.#writing.drafts) return;
    this.#keep(drafts);
    this.#set({ drafts });
  }

  #set(change: Partial<Writing>): void {
    this.#writing = { ...this.#writing, ...change };
    for (const observer of this.#observers) observer();
  }
}

const isSame = (a: Entry | null, b: Entry | null): boolean => a?.source === b?.source && a?.text === b?.text;

const wordsFor = (entry: Entry | null, stored: string | undefined): string => {
  if (entry === null) return 'a removal';
  if (stored === undefined) return 'a translation';
  return stored === entry.text ? 'an acceptance' : 'a change';
};
