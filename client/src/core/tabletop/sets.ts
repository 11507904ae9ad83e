import { fileName, safeName, UniqueNames } from '../imposition/images/file-names.ts';
import { cardPainting, isStatic } from '../imposition/images/image-files.ts';
import type { BundleEntry, Encoding, Painting } from '../imposition/images/painting.ts';
import { cardName } from '../imposition/job/card-name.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { spacesOf } from '../layout/laid-spaces.ts';
import { cellAt } from '../records.ts';
import { EMPTY_ROW, printedCells, type Row } from '../scene/card/row.ts';
import { inOrder } from './board-spaces.ts';
import { chooseGrid, MAX_SHEET_PX } from './grid.ts';
import { magnetMap } from './magnet-map.ts';

/** Files for virtual tables that take images and lists rather than saves. */

const png = (dpi: number): Encoding => ({ type: 'image/png', quality: 1, dpi });
const rowOf = (part: PrintPart, index: number): Row => ({
  index: index + 1,
  count: part.cards.length,
  ...(part.cards[index]?.row ?? EMPTY_ROW),
});
const folderOf = (part: PrintPart, names: UniqueNames): string =>
  `${names.take(safeName(part.name) || 'component', '')}/`;

/**
 * Tabletopia takes one image a side, all of a component of exactly the same size; a back that all cards share is needed
 * once. Beside a board it takes a picture of its magnetic cells.
 */
export const tabletopiaEntries = (parts: readonly PrintPart[], dpi: number): BundleEntry[] =>
  sideEntries(parts, dpi, true);

/** One image a side. @param magnets pictures of the spaces beside those that have any */
function sideEntries(parts: readonly PrintPart[], dpi: number, magnets: boolean): BundleEntry[] {
  const folders = new UniqueNames();
  return parts.flatMap((part): BundleEntry[] => {
    const folder = folderOf(part, folders);
    const names = new UniqueNames();
    const how = { dpi, bleed: 0, clipToTrim: false, opaque: true };
    const painting = (name: string, layout: PrintPart['layout'], row: Row): BundleEntry => ({
      name: `${folder}${names.take(name, '.png')}`,
      kind: 'painting',
      painting: cardPainting({ layout, columns: part.columns }, row, how),
      encoding: png(dpi),
    });
    const label = (index: number): string =>
      fileName('{{number}} {{Name}}', {
        component: part.name,
        columns: part.columns,
        row: rowOf(part, index),
        card: index,
        copy: 1,
        count: part.cards.length,
      });
    const cards = part.cards.flatMap(({ copies }, index) => (copies > 0 ? [index] : []));
    const fronts = cards.flatMap((index): BundleEntry[] => {
      const front = painting(label(index), part.layout, rowOf(part, index));
      const map = magnets && front.kind === 'painting' && magnetMap(part, rowOf(part, index), front.painting);
      if (!map) return [front];
      const name = `${folder}${names.take(`${label(index)} magnetic map`, '.png')}`;
      return [front, { name, kind: 'painting', painting: map, encoding: png(dpi) }];
    });
    if (!part.back) return fronts;
    const { back } = part;
    if (isStatic(back)) return [...fronts, painting('back', back, EMPTY_ROW)];
    return [...fronts, ...cards.map((index) => painting(`${label(index)} back`, back, rowOf(part, index)))];
  });
}

const SPACE_COLUMNS = [
  ...['board', 'space', 'kind', 'x mm', 'y mm', 'width mm', 'height mm', 'turn'],
  ...['order', 'turn of pieces', 'accepts', 'holds', 'leads to'],
];

/** The spaces of a board as lines of a list: Screentop reads no file of dropzones, so they are made there by hand. */
function spaceLines(part: PrintPart, row: Row, index: number): string[][] {
  const shown = (value: number): string => String(Math.round(value * 100) / 100);
  const number = (value: number | undefined): string => (value ? shown(value) : '');
  const spaces = inOrder(spacesOf(part.layout, row, part.columns));
  const names = new Map(spaces.map(({ zone, name }) => [zone, name]));
  return spaces.map(({ name, role, x, y, w, h, turn, order, piecesTurn, accepts, holds, links }) => [
    cardName(row, part.columns, index),
    name,
    role,
    ...[x - w / 2, y - h / 2, w, h, turn].map(shown),
    number(order),
    piecesTurn === undefined ? 'as held' : shown(piecesTurn),
    accepts.join(' '),
    number(holds),
    links.flatMap((id) => names.get(id) ?? []).join(', '),
  ]);
}

/** Columns of a Screentop grid: as many as cells stay readable. */
const SCREENTOP_LIMITS = { columns: 10, rows: 10, side: MAX_SHEET_PX };

/**
 * Screentop takes one grid image for a component's variants: equal cells without gap or bleed, blanks at the end, and
 * beside it a list of the cells' content.
 */
export function screentopEntries(parts: readonly PrintPart[], dpi: number): BundleEntry[] {
  const folders = new UniqueNames();
  return parts.flatMap((part): BundleEntry[] => {
    const folder = folderOf(part, folders);
    const cards = part.cards.flatMap(({ copies }, index) => (copies > 0 ? [index] : []));
    if (cards.length === 0) return [];
    const grid = chooseGrid(part.layout.size, cards.length, dpi, SCREENTOP_LIMITS);
    const room = grid.columns * grid.rows;
    const entries: BundleEntry[] = [];
    const list: string[][] = [['sheet', 'column', 'row', 'name', 'copies']];
    for (let start = 0, sheet = 1; start < cards.length; start += room, sheet++) {
      const shown = cards.slice(start, start + room);
      entries.push({
        name: `${folder}fronts ${sheet} (${grid.columns}x${grid.rows}).png`,
        kind: 'painting',
        painting: gridPainting(part, part.layout, shown, grid),
        encoding: png(grid.dpi),
      });
      for (const [slot, index] of shown.entries()) {
        list.push([
          String(sheet),
          String((slot % grid.columns) + 1),
          String(Math.floor(slot / grid.columns) + 1),
          cardName(rowOf(part, index), part.columns, index),
          String(part.cards[index]?.copies ?? 0),
        ]);
      }
      if (part.back && !isStatic(part.back)) {
        entries.push({
          name: `${folder}backs ${sheet} (${grid.columns}x${grid.rows}).png`,
          kind: 'painting',
          painting: gridPainting(part, part.back, shown, grid),
          encoding: png(grid.dpi),
        });
      }
    }
    if (part.back && isStatic(part.back)) {
      entries.push({
        name: `${folder}back.png`,
        kind: 'painting',
        painting: gridPainting(part, part.back, [cards[0] ?? 0], { ...grid, columns: 1, rows: 1 }),
        encoding: png(grid.dpi),
      });
    }
    entries.push({ name: `${folder}cards.csv`, kind: 'text', text: csv(list) });
    const spaces = cards.flatMap((index) => spaceLines(part, rowOf(part, index), index));
    if (spaces.length > 0)
      entries.push({ name: `${folder}spaces.csv`, kind: 'text', text: csv([SPACE_COLUMNS, ...spaces]) });
    return entries;
  });
}

function gridPainting(
  part: PrintPart,
  layout: PrintPart['layout'],
  cards: readonly number[],
  grid: { columns: number; rows: number; cellWidth: number; cellHeight: number },
): Painting {
  const scale = Math.min(grid.cellWidth / layout.size.w, grid.cellHeight / layout.size.h);
  return {
    width: grid.columns * grid.cellWidth,
    height: grid.rows * grid.cellHeight,
    background: null,
    items: cards.map((index, slot) => ({
      layout,
      row: rowOf(part, index),
      columns: part.columns,
      x: (slot % grid.columns) * grid.cellWidth + (grid.cellWidth - layout.size.w * scale) / 2,
      y: Math.floor(slot / grid.columns) * grid.cellHeight + (grid.cellHeight - layout.size.h * scale) / 2,
      scale,
      turn: 0,
      bleed: 0,
      clipToTrim: true,
      lowInk: false,
    })),
    lines: [],
  };
}

/**
 * playingcards.io takes an image for each card and a table of them. Its table's columns are not documented; this one
 * has a card a line: its name, number of copies, images and cells.
 * @param url address of an image, by its file name
 */
export function playingCardsEntries(
  parts: readonly PrintPart[],
  dpi: number,
  url: (file: string) => string = (file) => file,
): BundleEntry[] {
  const folders = new UniqueNames();
  return sideEntries(parts, dpi, false).concat(
    parts.map((part): BundleEntry => {
      const folder = folderOf(part, folders);
      const names = new UniqueNames();
      const shared = part.back !== null && isStatic(part.back);
      const lines = part.cards.flatMap(({ row, copies }, index) => {
        if (copies <= 0) return [];
        const context = { component: part.name, columns: part.columns, card: index, copy: 1 };
        const label = fileName('{{number}} {{Name}}', { ...context, row, count: part.cards.length });
        const front = names.take(label, '.png');
        const back = part.back === null ? '' : shared ? 'back.png' : `${front.slice(0, -4)} back.png`;
        return [
          [
            cardName(row, part.columns, index),
            String(copies),
            url(front),
            back && url(back),
            ...part.columns.map(({ key }) => cellAt(printedCells(row), key)),
          ],
        ];
      });
      const header = ['label', 'count', 'image', 'backImage', ...part.columns.map(({ name }) => name)];
      return { name: `${folder}cards.csv`, kind: 'text', text: csv([header, ...lines]) };
    }),
  );
}

/** RFC 4180, with a line break after every line. */
export function csv(lines: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}
