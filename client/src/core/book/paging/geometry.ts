import { ptToMm } from '../../units.ts';
import type { HouseStyle } from '../typesetting/house-style.ts';
import type { PageFormat } from './formats.ts';
import type { Widths } from './sections.ts';

/** The body of a page and its columns, in millimetres. */
export interface Geometry extends Widths {
  /** Whole lines of the grid. */
  readonly height: number;
  readonly grid: number;
  readonly margins: {
    readonly inside: number;
    readonly outside: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** Top left corner of the body: margins of left pages mirror those of right ones. */
  readonly origin: (page: number) => { readonly left: number; readonly top: number };
}

/** Narrowest margins that printers keep clean and fingers can hold. */
const LEAST = { inside: 12, outside: 9, top: 12, bottom: 12 } as const;
/** Share of a small page that its margins may take. */
const SMALL_PAGE = 110;

export function geometryOf(house: HouseStyle, format: PageFormat): Geometry {
  const least = Math.min(format.w, format.h) < SMALL_PAGE ? 0.62 : 1;
  const margin = (side: keyof typeof LEAST, length: number): number =>
    Math.max(LEAST[side] * least, house.margins[side] * length);
  const margins = {
    inside: margin('inside', format.w),
    outside: margin('outside', format.w),
    top: margin('top', format.h),
    bottom: margin('bottom', format.h),
  };
  const grid = ptToMm(house.leading);
  const body = format.w - margins.inside - margins.outside;
  const lines = Math.max(1, Math.floor((format.h - margins.top - margins.bottom) / grid));
  let columns: number = house.columns;
  while (columns > 1 && (body - house.gutter * (columns - 1)) / columns < house.narrowest) columns--;
  return {
    body,
    columns,
    gutter: house.gutter,
    height: lines * grid,
    grid,
    margins,
    origin: (page) => ({ left: page % 2 === 1 ? margins.inside : margins.outside, top: margins.top }),
  };
}
