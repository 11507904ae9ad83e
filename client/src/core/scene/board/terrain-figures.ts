import type { Pattern } from './terrain.ts';

/** One figure of a pattern in a square of 100 by 100 about the middle of a cell; lines or areas. */
export interface Figure {
  readonly path: string;
  readonly filled: boolean;
}

const line = (path: string): Figure => ({ path, filled: false });
const area = (path: string): Figure => ({ path, filled: true });

/** Figures of each pattern, drawn by us. */
const FIGURES: Readonly<Record<Pattern, Figure | undefined>> = {
  none: undefined,
  grass: line('M28 46 L32 34 M32 46 L32 30 M36 46 L32 34 M60 74 L64 62 M64 74 L64 58 M68 74 L64 62'),
  trees: area('M34 22 L50 54 H37 V62 H31 V54 H18 Z M66 38 L82 70 H69 V78 H63 V70 H50 Z'),
  hills: line('M14 60 C22 34 42 34 50 60 M46 72 C54 46 74 46 84 72'),
  peaks: line('M12 72 L38 26 L58 62 M48 44 L60 30 L88 72 M38 26 L34 44 L42 40'),
  waves: line('M16 38 C24 28 32 28 38 38 C44 48 52 48 58 38 M42 66 C50 56 58 56 64 66 C70 76 78 76 84 66'),
  dots: area(dots([30, 34, 62, 28, 46, 52, 76, 54, 26, 70, 60, 76], 4.5)),
  reeds: line(
    'M24 62 H48 M36 62 V34 M36 62 L28 42 M36 62 L44 42 M54 78 H78 M66 78 V50 M66 78 L58 58 M66 78 L74 58',
  ),
  houses: area('M18 52 L34 34 L50 52 V72 H18 Z M54 44 L68 28 L82 44 V72 H54 Z'),
  stones: line('M22 62 L28 46 L42 44 L50 56 L44 66 L26 68 Z M56 46 L64 34 L76 38 L78 50 L66 56 Z'),
  crosses: line('M28 30 L44 46 M44 30 L28 46 M58 56 L74 72 M74 56 L58 72'),
  lines: line('M20 56 L48 28 M32 72 L72 32 M54 78 L82 50'),
  snow: line('M34 24 V52 M22 31 L46 45 M46 31 L22 45 M66 50 V78 M54 57 L78 71 M78 57 L54 71'),
};

/** Squares stood on a corner, as round as they look at that size. */
function dots(centres: readonly number[], r: number): string {
  let path = '';
  for (let at = 0; at + 1 < centres.length; at += 2) {
    const [x, y] = [centres[at] ?? 0, centres[at + 1] ?? 0];
    path += `M${x} ${y - r} L${x + r} ${y} L${x} ${y + r} L${x - r} ${y} Z `;
  }
  return path;
}

/** The figure of a pattern; undefined where there is none. */
export const patternFigure = (pattern: Pattern): Figure | undefined => FIGURES[pattern];
