import { produce } from 'immer';

/**
 * Undo of one's own acts among those of others. An entry is the document before and after one act,
 * with what was selected. To undo is to merge the way back, from after to before, into the document
 * as it is now, so that what others changed since stays theirs. Acts with the same merge key that
 * follow each other closely (typing in one field, holding an arrow key) become one entry. The
 * documents share what they have in common, so an entry costs what its act changed (about 3 KB in a
 * layout of 200 zones): none is ever forgotten.
 */

/** Acts of one merge key closer than this become one, in milliseconds. */
export const MERGE_WINDOW_MS = 1_000;

interface Entry<Document, Selection> {
  readonly from: Document;
  readonly to: Document;
  readonly before: Selection;
  readonly after: Selection;
  readonly mergeKey: string | undefined;
  readonly at: number;
}

/** Result of an undo or redo. */
export interface Step<Document, Selection> {
  readonly document: Document;
  readonly selection: Selection;
}

/** Brings the change from `base` to `mine` into `theirs`, which wins where both changed the same. */
export type Rebase<Document> = (base: Document, mine: Document, theirs: Document) => Document;

export class History<Document extends object, Selection> {
  #past: Entry<Document, Selection>[] = [];
  #future: Entry<Document, Selection>[] = [];
  readonly #rebase: Rebase<Document>;
  readonly #now: () => number;

  constructor(rebase: Rebase<Document>, now: () => number = Date.now) {
    this.#rebase = rebase;
    this.#now = now;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /**
   * Applies an act and remembers it; answers the same document when nothing changed.
   * @param mergeWindow milliseconds within which acts of one key are one
   */
  act(
    document: Document,
    recipe: (draft: Document) => void,
    selection: { before: Selection; after: Selection },
    mergeKey?: string,
    mergeWindow: number = MERGE_WINDOW_MS,
  ): Document {
    const next = produce(document, (draft) => {
      recipe(draft as Document);
    });
    if (next === document) return document;
    const at = this.#now();
    const last = this.#past.at(-1);
    // Somebody else's change in between belongs into neither entry.
    const follows = last !== undefined && last.to === document;
    const merges =
      follows && mergeKey !== undefined && last.mergeKey === mergeKey && at - last.at < mergeWindow;
    const [from, before] = merges ? [last.from, last.before] : [document, selection.before];
    if (merges) this.#past.pop();
    this.#past.push({ from, to: next, before, after: selection.after, mergeKey, at });
    this.#future = [];
    return next;
  }

  undo(document: Document): Step<Document, Selection> | undefined {
    const entry = this.#past.pop();
    if (!entry) return undefined;
    this.#future.push(entry);
    return { document: this.#rebase(entry.to, entry.from, document), selection: entry.before };
  }

  redo(document: Document): Step<Document, Selection> | undefined {
    const entry = this.#future.pop();
    if (!entry) return undefined;
    this.#past.push(entry);
    return { document: this.#rebase(entry.from, entry.to, document), selection: entry.after };
  }
}
