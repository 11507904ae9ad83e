import { applyPatches, enablePatches, type Patch, produceWithPatches } from 'immer';

/**
 * Undo by patches. An entry is what one act of the user changed, forwards and backwards, with what
 * was selected before and after. Acts with the same merge key that follow each other closely (typing
 * in one field, holding an arrow key) become one entry. Changes from elsewhere never enter.
 */
enablePatches();

/** Most entries kept. */
export const MAX_ENTRIES = 5_000;
/** Acts of one merge key closer than this become one, in milliseconds. */
export const MERGE_WINDOW_MS = 1_000;

interface Entry<Selection> {
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
  readonly before: Selection;
  readonly after: Selection;
  readonly mergeKey: string | undefined;
  readonly at: number;
}

/** What an undo or redo leads to. */
export interface Step<Document, Selection> {
  readonly document: Document;
  readonly selection: Selection;
}

export class History<Document extends object, Selection> {
  #past: Entry<Selection>[] = [];
  #future: Entry<Selection>[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Applies an act and remembers it; answers the same document when nothing changed. */
  act(
    document: Document,
    recipe: (draft: Document) => void,
    selection: { before: Selection; after: Selection },
    mergeKey?: string,
  ): Document {
    const [next, patches, inverse] = produceWithPatches(document, (draft) => {
      recipe(draft as Document);
    });
    if (patches.length === 0) return document;
    const at = this.#now();
    const last = this.#past[this.#past.length - 1];
    const merges = mergeKey !== undefined && last?.mergeKey === mergeKey && at - last.at < MERGE_WINDOW_MS;
    const entry: Entry<Selection> = merges
      ? {
          patches: [...last.patches, ...patches],
          inverse: [...inverse, ...last.inverse],
          before: last.before,
          after: selection.after,
          mergeKey,
          at,
        }
      : { patches, inverse, ...selection, mergeKey, at };
    if (merges) this.#past.pop();
    this.#past.push(entry);
    if (this.#past.length > MAX_ENTRIES) this.#past.shift();
    this.#future = [];
    return next as Document;
  }

  undo(document: Document): Step<Document, Selection> | undefined {
    const entry = this.#past.pop();
    if (!entry) return undefined;
    this.#future.push(entry);
    return { document: applyPatches(document, [...entry.inverse]) as Document, selection: entry.before };
  }

  redo(document: Document): Step<Document, Selection> | undefined {
    const entry = this.#future.pop();
    if (!entry) return undefined;
    this.#past.push(entry);
    return { document: applyPatches(document, [...entry.patches]) as Document, selection: entry.after };
  }

  /** Forgets everything: the document came from elsewhere. */
  clear(): void {
    this.#past = [];
    this.#future = [];
  }
}
