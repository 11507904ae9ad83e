import type { LibraryImage } from '../../images/library.ts';
import { parseJsonObject } from '../../json-object.ts';
import type { Column, Row } from '../../scene/card/row.ts';
import { type CardSize, type Layout, layoutSchema } from '../../scene/layout.ts';

/**
 * Faces and backs as they lie in the box of a table: texts that the server does not read. The layouts are in the box's
 * common text, once; a face or back names them by index.
 */

/** A picture that a look carries, for players who have no right in the library it is from. */
export type CarriedImage = Pick<LibraryImage, 'id' | 'path' | 'former' | 'url' | 'crop' | 'focus'>;

/** Parts that all looks of a box share. */
export interface CommonLook {
  readonly layouts: readonly Layout[];
  /** Columns of each component. */
  readonly tables: readonly (readonly Column[])[];
  /** Pictures of the layouts. */
  readonly pictures: readonly CarriedImage[];
  /** Missing where the cards have one language. */
  readonly languages?: SpokenLayouts;
}

/** Languages of a box, with what its layouts have in each of them. */
export interface SpokenLayouts {
  /** Language of the cards' own words, as a BCP 47 tag. */
  readonly source: string;
  /** By tag: what each layout has of its own, in the order of the layouts. */
  readonly spoken: Readonly<Record<string, readonly SpokenLayout[]>>;
  /** Languages of the project for which the box has no room. */
  readonly without?: readonly string[];
}

/** A layout's own in a language, by the ids of its zones. */
export interface SpokenLayout {
  readonly texts?: Readonly<Record<string, string>>;
  /** Sizes of texts that are set alike on all cards, in points. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** A side in a language; what is left out is as in the source. */
export interface SpokenSide {
  readonly name?: string;
  readonly words?: Readonly<Record<string, string>>;
}

/** A row drawn by a layout of the common look. */
export interface Drawn extends Row {
  readonly layout: number;
  readonly table: number;
  /** Pictures that the cells name. */
  readonly pictures?: readonly CarriedImage[];
}

/** The face of a piece; a die has one for each side. */
export interface FaceLook {
  readonly name: string;
  readonly sides: readonly (Drawn & { readonly name: string })[];
  /** By tag; who sees the face sees it in all languages, and nobody else sees any of them. */
  readonly spoken?: Readonly<Record<string, SpokenFace>>;
}

/** A face in a language. */
export interface SpokenFace {
  readonly name?: string;
  readonly sides: readonly SpokenSide[];
}

/** The back of a piece, and what is known of it whichever side lies up. */
export interface BackLook {
  /** Name of the component. */
  readonly name: string;
  /** Trim, in millimetres. */
  readonly size: CardSize;
  /** Missing for pieces whose back has no layout. */
  readonly drawn?: Drawn;
  /** Words by tag. */
  readonly spoken?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const EMPTY_COMMON: CommonLook = { layouts: [], tables: [], pictures: [] };

const UNREADABLE_SIZE: CardSize = { preset: 'custom', w: 63.5, h: 88.9, shape: 'rounded', radius: 3 };

// The texts were made by `pack.ts`; one that is none of its is shown as a blank piece.

export function readCommon(text: string | undefined): CommonLook {
  const common = { ...EMPTY_COMMON, ...parseJsonObject<CommonLook>(text) };
  return { ...common, layouts: common.layouts.map(upToDate) };
}

/** A layout with every property of today: a table may have been opened before some of them existed. */
function upToDate(layout: Layout): Layout {
  const read = layoutSchema.safeParse(layout);
  return read.success ? read.data : layout;
}

export function readFace(text: string): FaceLook {
  const { name = 'Unreadable piece', sides = [], spoken } = parseJsonObject<FaceLook>(text) ?? {};
  return { name, sides, ...(spoken && { spoken }) };
}

export function readBack(text: string): BackLook {
  const { name = 'Piece', size = UNREADABLE_SIZE, drawn, spoken } = parseJsonObject<BackLook>(text) ?? {};
  return { name, size, ...(drawn && { drawn }), ...(spoken && { spoken }) };
}
