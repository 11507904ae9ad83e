import type { Layout } from '../../../../../core/scene/layout.ts';
import { layoutInLanguage } from '../../../../../core/translation/cards/in-language.ts';
import { cellId } from '../../../../../core/translation/cards/unit-ids.ts';
import type { TranslatedUnit, UnitState } from '../../../../../core/translation/translation.ts';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import type { CardLanguage } from '../../../../../data/translations/card-language.ts';
import type { Draft, Drafts } from '../../../../translation/drafts.ts';

/** Columns with the words of a language. They are part of no card: what is written there is a translation. */
const PREFIX = '#words ';

export const wordsKey = (column: string): string => PREFIX + column;
export const isWords = (key: string): boolean => key.startsWith(PREFIX);
/** Key of the column that is translated. */
export const columnOfWords = (key: string): string => key.slice(PREFIX.length);

/** State of a translated cell; `unsaved` could not be stored, and `lost` prints its source. */
export type WordsState = UnitState | 'unsaved' | 'lost';

/** A cell of a language. */
export interface WordsCellState {
  readonly text: string;
  /** The card's own words. */
  readonly source: string;
  readonly state: WordsState;
  /** Reason of its state, where there is one to tell. */
  readonly note: string | undefined;
}

/** A component's table in a language. */
export interface TableWords {
  readonly language: string;
  /** True if they stand in place of the source, instead of beside it. */
  readonly instead: boolean;
  readonly isTranslated: (column: string) => boolean;
  /** A cell; `undefined` where the source has no words. */
  readonly cellOf: (card: string, column: string) => WordsCellState | undefined;
  /** Cells of a card as they are printed. */
  readonly wordsOf: (card: string) => Readonly<Record<string, string>> | undefined;
  readonly layoutOf: (layout: Layout) => Layout;
  /** True if the user may translate into the language. */
  readonly mayWrite: boolean;
  /** Answers whether something was stored, that can be taken back. */
  readonly write: (label: string, edits: readonly WordsEdit[]) => Promise<boolean>;
  /** The writer whose changes `undo` takes back, the last first. */
  readonly history: object;
  /** The last translation that can be taken back, in words. */
  readonly undoes: string | undefined;
  /** Answers false if it could not be taken back now, and can be later. */
  readonly undo: () => Promise<boolean>;
}

export interface WordsEdit {
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

function cellState(one: TranslatedUnit, draft: Draft | undefined): WordsCellState {
  const { source } = one.unit;
  if (draft && !draft.stored) return { text: draft.text, source, state: 'unsaved', note: draft.problem };
  const text = draft?.text ?? one.text ?? '';
  if (draft) return { text, source, state: text === '' ? 'missing' : 'done', note: undefined };
  if (one.fault !== undefined) {
    return { text, source, state: 'lost', note: `The source is printed instead. ${one.fault}` };
  }
  const note = one.was === undefined ? undefined : `It was made from “${one.was}”.`;
  return { text, source, state: one.state, note };
}

type Read = Pick<TableWords, 'isTranslated' | 'cellOf' | 'wordsOf' | 'layoutOf'>;

/**
 * The words of a component in a language, as its table shows them.
 * @param layouts the project's, and `own`, the id of the component's own, which a table may show fitted
 */
export function readWords(
  { language, units, texts, columns }: CardLanguage,
  component: string,
  drafts: Drafts,
  layouts: readonly { readonly id: string; readonly scene: Layout }[],
  own: string | null,
): Read {
  const keys = columns.get(component) ?? [];
  const known = new Map(units.map((one) => [one.unit.id, one]));
  const printed = new Map<string, Readonly<Record<string, string>> | undefined>();
  const scenes = new WeakMap<Layout, Layout>();
  return {
    isTranslated: (column) => keys.includes(column),
    cellOf: (card, column) => {
      const id = cellId(component, card, column);
      const one = known.get(id);
      return one && cellState(one, drafts.get(id));
    },
    wordsOf: (card) => {
      if (!printed.has(card)) {
        const found = keys.flatMap((key): [string, string][] => {
          const text = texts.get(cellId(component, card, key));
          return text === undefined ? [] : [[key, text]];
        });
        printed.set(card, found.length > 0 ? Object.fromEntries(found) : undefined);
      }
      return printed.get(card);
    },
    layoutOf: (layout) => {
      const made = scenes.get(layout);
      if (made) return made;
      const id = layouts.find(({ scene }) => scene === layout)?.id ?? own ?? '';
      const next = layoutInLanguage(id, layout, texts, language);
      scenes.set(layout, next);
      return next;
    },
  };
}

/** Columns with those of a language: after the source, or in its place. */
export function withWordsColumns(
  columns: readonly TableColumn[],
  words: Pick<TableWords, 'language' | 'instead' | 'isTranslated'> | undefined,
  nameOf: (tag: string) => string,
): TableColumn[] {
  if (!words) return [...columns];
  return columns.flatMap((column): TableColumn[] => {
    if (!words.isTranslated(column.key)) return [column];
    const { width, frozen } = column;
    const own: TableColumn = {
      key: wordsKey(column.key),
      name: `${column.name}, ${nameOf(words.language)}`,
      type: 'text',
      ...(width !== undefined && { width }),
      ...(frozen !== undefined && { frozen }),
    };
    return words.instead ? [own] : [column, own];
  });
}

/** A row that was pasted, without what stood in columns of words. */
export const withoutWords = (row: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !isWords(key)));

/** Edits of cards, and those of their words in a language. */
export function splitEdits<E extends WordsEdit>(
  edits: readonly E[],
): { readonly cells: readonly E[]; readonly words: readonly WordsEdit[] } {
  return {
    cells: edits.filter(({ key }) => !isWords(key)),
    words: edits
      .filter(({ key }) => isWords(key))
      .map(({ id, key, text }) => ({ id, key: columnOfWords(key), text })),
  };
}
