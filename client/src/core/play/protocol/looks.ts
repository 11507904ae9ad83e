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
}

/** The back of a piece, and what is known of it whichever side lies up. */
export interface BackLook {
  /** Name of the component. */
  readonly name: string;
  /** Trim, in millimetres. */
  readonly size: CardSize;
  /** Missing for pieces whose back has no layout. */
  readonly drawn?: Drawn;
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
  const { name = 'Unreadable piece', sides = [] } = parseJsonObject<FaceLook>(text) ?? {};
  return { name, sides };
}

export function readBack(text: string): BackLook {
  const { name = 'Piece', size = UNREADABLE_SIZE, drawn } = parseJsonObject<BackLook>(text) ?? {};
  return { name, size, ...(drawn && { drawn }) };
}
