import type { JsonObject } from '../../archive/bundle.ts';
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
  | { readonly kind: 'notes'; readonly text: string; readonly was: string };

export interface BranchChanges {
  readonly changes: readonly BranchChange[];
  /** Changes of the branch that cannot be brought back here, in words. */
  readonly left: readonly string[];
}

/** Content of a card's document: all but its place in the table. */
export const cardContent = ({ order: _, ...content }: JsonObject): JsonObject => content;
