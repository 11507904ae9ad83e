import { resolve } from '../../../../../core/scene/card/resolve.ts';
import type { Column } from '../../../../../core/scene/card/row.ts';
import type { Layout, Variable } from '../../../../../core/scene/layout.ts';
import { type Inline, parseMarkup } from '../../../../../core/text/markup/markup.ts';
import { allZones } from '../zones/zones.ts';
import type { TableRow } from './use-table.ts';

/** Most cards whose texts are read for a preview, so that typing stays quick beside a long table. */
export const MAX_CARDS_READ = 1_000;
/** Letters shown on either side of an icon. */
const AROUND = 40;

export type IconVariable = Extract<Variable, { kind: 'icon' }>;
/** Token of an icon without braces. */
export type Writing = Pick<IconVariable, 'token' | 'anywhere'>;

/** A part of a text: words, or the icon that stands for some. */
export interface Piece {
  readonly text: string;
  readonly icon: boolean;
}

/** A text of a card in which the icon would stand. */
export interface IconPlace {
  readonly row: TableRow;
  readonly zone: string;
  readonly icons: number;
  /** The text with its icons, around the first of them. */
  readonly pieces: readonly Piece[];
}

export interface IconPlaces {
  /** The layout without and with this way of writing the icon. */
  readonly before: Layout;
  readonly after: Layout;
  readonly places: readonly IconPlace[];
  /** Cards with such a text. */
  readonly cards: number;
  /** Cards read. */
  readonly read: number;
}

/** The layout with its icon at `at` written in a way. */
function written(layout: Layout, at: number, { token, anywhere }: Writing): Layout {
  const variables = layout.variables.map((variable, n) =>
    n === at && variable.kind === 'icon'
      ? { ...variable, token: token ?? '', anywhere: anywhere ?? false }
      : variable,
  );
  return { ...layout, variables };
}

/** Marks the icon that is looked for: nothing else is called that. */
const MARK = '\u{F8FF}icon';

/** The same variables, the one at `at` drawn by a name that no image has. */
const marked = (variables: readonly Variable[], at: number): Variable[] =>
  variables.map((variable, n) =>
    n === at && variable.kind === 'icon' ? { ...variable, source: MARK } : variable,
  );

const isOurs = (part: Inline): boolean => part.kind === 'icon' && part.source === MARK;

function piecesOf(parts: readonly Inline[], name: string): Piece[] {
  const first = parts.findIndex(isOurs);
  const shown = parts.map((part): Piece => {
    if (part.kind === 'break') return { text: ' ', icon: false };
    if (part.kind === 'text') return { text: part.text, icon: false };
    return isOurs(part) ? { text: name, icon: true } : { text: '▫', icon: false };
  });
  const before = shown
    .slice(0, first)
    .map(({ text }) => text)
    .join('');
  const begins = before.length > AROUND ? `…${before.slice(-AROUND)}` : before;
  const rest: Piece[] = [];
  let letters = 0;
  for (const piece of shown.slice(first)) {
    if (letters >= AROUND) break;
    const text = piece.icon ? piece.text : piece.text.slice(0, AROUND - letters);
    rest.push(text === piece.text ? piece : { text: `${text}…`, icon: false });
    if (!piece.icon) letters += piece.text.length;
  }
  return [{ text: begins, icon: false }, ...rest].filter(({ text }) => text !== '');
}

/**
 * Places that the icon at index `at` of a layout's variables would take with this token: texts and cards, as the layout
 * resolves them. Places that name it in braces already are left out.
 */
export function iconPlaces(
  layout: Layout,
  at: number,
  writing: Writing,
  rows: readonly TableRow[],
  columns: readonly Column[],
): IconPlaces {
  const before = written(layout, at, {});
  const after = written(layout, at, writing);
  const [off, on] = [marked(before.variables, at), marked(after.variables, at)];
  const name = layout.variables[at]?.name ?? '';
  const texts = allZones(layout.zones).filter((zone) => zone.kind === 'text');
  const read = rows.slice(0, MAX_CARDS_READ);
  const places: IconPlace[] = [];
  const cards = new Set<number>();
  for (const [index, row] of read.entries()) {
    for (const zone of texts) {
      const shown = resolve(zone, { cells: row.cells, index: index + 1, count: rows.length }, columns).zone;
      const parts = (variables: readonly Variable[]) =>
        parseMarkup(shown.text, { variables, columns, cells: row.cells }).paragraphs.flatMap(
          (paragraph, n) =>
            n === 0 ? paragraph.inlines : [{ kind: 'break' } as const, ...paragraph.inlines],
        );
      const found = parts(on);
      const icons = found.filter(isOurs).length - parts(off).filter(isOurs).length;
      if (icons <= 0) continue;
      cards.add(index);
      places.push({ row, zone: zone.name, icons, pieces: piecesOf(found, name) });
    }
  }
  return { before, after, places, cards: cards.size, read: read.length };
}
