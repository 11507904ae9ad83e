import type { Json, JsonObject } from '../../archive/bundle.ts';
import type { Block, NoTerm } from '../../book/document/schema.ts';

/** A change that a branch has made since it began, and that can be brought back. */
export interface BranchChange {
  readonly key: string;
  /** The component, or the part of the project, that it is of. */
  readonly group: string;
  /** Name of the card, layout, picture or block. */
  readonly name: string;
  /** The column, or what became of it. */
  readonly what: string;
  /** The value when the branch began, in the branch, and in the project today; `undefined` where there is none. */
  readonly base: string | undefined;
  readonly theirs: string | undefined;
  readonly mine: string | undefined;
  /** The project has changed it too, otherwise. */
  readonly conflict: boolean;
  /** Of a whole card in conflict: what the side that still has it changed, cell by cell. */
  readonly parts?: readonly ChangedPart[];
  /** Of a picture: the addresses of its files on both sides. */
  readonly pictures?: { readonly theirs: string; readonly mine: string };
  /** Keys of changes without which this one cannot come, as the project lacks what they bring. */
  readonly needs?: readonly string[];
  readonly act: BranchAct;
}

/** A cell or another field of a card that somebody changed. */
export interface ChangedPart {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Fields of a rulebook beside its text that come back one by one. */
export const BOOK_FIELDS = ['title', 'subtitle', 'language', 'format', 'style'] as const;
export type BookField = (typeof BOOK_FIELDS)[number];

/** The text of a rulebook, as blocks. */
export interface BookText {
  readonly blocks: readonly Block[];
  readonly noTerms: readonly NoTerm[];
}

interface OfCard {
  readonly component: string;
  readonly card: string;
}

/** The write that brings a change back, and the state of the project that it rests on. */
export type BranchAct =
  | (OfCard & {
      readonly kind: 'cell';
      readonly column: string;
      readonly text: string;
      readonly was: string;
    })
  | (OfCard & { readonly kind: 'copies'; readonly copies: number; readonly was: number })
  /** Without a status, `''`. */
  | (OfCard & { readonly kind: 'status'; readonly status: string; readonly was: string })
  | (OfCard & { readonly kind: 'add'; readonly value: JsonObject })
  | (OfCard & { readonly kind: 'remove'; readonly was: JsonObject })
  | { readonly kind: 'layout'; readonly layout: string; readonly scene: JsonObject; readonly was: JsonObject }
  | { readonly kind: 'newLayout'; readonly layout: string; readonly value: JsonObject }
  | { readonly kind: 'newImage'; readonly image: string }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** Fields that the branch has otherwise; `null` for one that it does not have. */
      readonly fields: JsonObject;
      /** Address and hash of the picture that the branch has, if it is another one. */
      readonly url: string | undefined;
      readonly hash: string | undefined;
      readonly was: JsonObject;
    }
  | {
      readonly kind: 'book';
      readonly rulebook: string;
      readonly field: BookField;
      readonly value: string;
      readonly was: string;
    }
  | {
      readonly kind: 'block';
      readonly rulebook: string;
      readonly block: string;
      /** `null` deletes it. */
      readonly value: Block | null;
      readonly was: Block | null;
      /** Ids of the blocks before it in the branch, the nearest first. */
      readonly behind: readonly string[];
    }
  | {
      readonly kind: 'newBook';
      readonly rulebook: string;
      readonly fields: Readonly<Record<BookField, string>>;
      readonly order: number;
      readonly text: BookText;
    }
  | {
      readonly kind: 'removeBook';
      readonly rulebook: string;
      readonly was: Readonly<Record<BookField, string>>;
      /** Its text in the project; none where the text is alike in all states. */
      readonly text: BookText | undefined;
    }
  | { readonly kind: 'removeLayout'; readonly layout: string; readonly was: JsonObject }
  | { readonly kind: 'removeImage'; readonly image: string; readonly was: JsonObject }
  | ComponentAct
  | TranslationAct
  /** A field of the project's own document; `null` for none. */
  | { readonly kind: 'setting'; readonly field: string; readonly value: Json; readonly was: Json }
  | {
      readonly kind: 'preset';
      readonly preset: string;
      /** `null` deletes it. */
      readonly value: JsonObject | null;
      readonly was: JsonObject | null;
    }
  | { readonly kind: 'notes'; readonly text: string; readonly was: string };

/** The write of a component's own document. */
export type ComponentAct = { readonly component: string } & (
  | { readonly kind: 'newComponent'; readonly value: JsonObject }
  | {
      readonly kind: 'removeComponent';
      readonly was: JsonObject;
      /** Its cards, by their ids. */
      readonly cards: Readonly<Record<string, JsonObject>>;
    }
  /** A field; `null` for none. */
  | { readonly kind: 'component'; readonly field: string; readonly value: Json; readonly was: Json }
  | {
      readonly kind: 'column';
      readonly column: string;
      /** `null` deletes it. */
      readonly value: JsonObject | null;
      readonly was: JsonObject | null;
      /** Keys of the columns before it in the branch, the nearest first. */
      readonly behind: readonly string[];
    }
);

/** A text in another language, as it is stored. */
export interface StoredText {
  readonly source: string;
  readonly text: string;
}

/** The write of a translation of the cards, or of a rulebook. */
export type TranslationAct = { readonly rulebook: string | undefined; readonly language: string } & (
  | { readonly kind: 'newLanguage' }
  /** With all of its texts. */
  | { readonly kind: 'removeLanguage'; readonly was: Readonly<Record<string, StoredText>> }
  | {
      readonly kind: 'unit';
      readonly unit: string;
      /** `null` deletes it. */
      readonly value: StoredText | null;
      readonly was: StoredText | null;
    }
);

export interface BranchChanges {
  readonly changes: readonly BranchChange[];
  /** Changes of the branch that cannot be brought back here, in words. */
  readonly left: readonly string[];
}

/** Fields of a component's document that are only its place, or follow from its cards. */
const OF_NO_COMPONENT: ReadonlySet<string> = new Set(['order', 'cardCount']);

/** Content of a component's document: all but its place among the others and the number of its cards. */
export const componentContent = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_NO_COMPONENT.has(name)));

/** Content of a column: all but its width in the table. */
export const columnContent = ({ width: _, ...content }: JsonObject): JsonObject => content;

/** Content of a card's document: all but its place in the table. */
export const cardContent = ({ order: _, ...content }: JsonObject): JsonObject => content;
