/** Sizes of a finished page, in millimetres. */
export interface PageFormat {
  readonly id: string;
  readonly name: string;
  readonly w: number;
  readonly h: number;
}

const inches = (value: number): number => value * 25.4;

export const PAGE_FORMATS = [
  { id: 'a4', name: 'A4', w: 210, h: 297 },
  { id: 'a5', name: 'A5', w: 148, h: 210 },
  { id: 'letter', name: 'Letter', w: inches(8.5), h: inches(11) },
  { id: 'half-letter', name: 'Half letter', w: inches(5.5), h: inches(8.5) },
  { id: 'square-210', name: 'Square, 210 mm', w: 210, h: 210 },
  { id: 'square-280', name: 'Square, 280 mm', w: 280, h: 280 },
  { id: 'zine', name: 'Zine of eight pages from A4', w: 74.25, h: 105 },
] as const satisfies readonly PageFormat[];

export type PageFormatId = (typeof PAGE_FORMATS)[number]['id'];

/** Smallest and largest side of a page of one's own. */
export const PAGE_SIDE_MM = { min: 50, max: 450 } as const;

export function pageFormat(id: PageFormatId): PageFormat {
  return PAGE_FORMATS.find((format) => format.id === id) ?? PAGE_FORMATS[0];
}

/** Format of a rulebook by the id that it is stored with; A4 where it is none of these. */
export const bookFormat = (id: string): PageFormat =>
  PAGE_FORMATS.find((format) => format.id === id) ?? PAGE_FORMATS[0];
