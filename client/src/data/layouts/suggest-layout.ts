import { cellAt } from '../../core/records.ts';
import type { CardSize, Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import type { TextZone } from '../../core/scene/zones/text.ts';
import { newZone, type Zone } from '../../core/scene/zones.ts';
import type { Card, TableColumn } from '../documents/documents.ts';

/** Cells longer than this on average are rules text rather than a label. */
const LONG_TEXT = 32;
/** Most blocks of rules text a first layout makes. */
const MAX_BODIES = 3;
const MARGIN_MM = 4.5;
const COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const NAME = /^(name|title|card|card name)$/i;

interface Roles {
  title: TableColumn | undefined;
  kicker: TableColumn | undefined;
  badge: TableColumn | undefined;
  image: TableColumn | undefined;
  colour: TableColumn | undefined;
  bodies: TableColumn[];
}

type Cards = readonly Pick<Card, 'cells'>[];

const filled = (column: TableColumn, cards: Cards) =>
  cards.map(({ cells }) => cellAt(cells, column.key).trim()).filter((cell) => cell !== '');

function averageLength(column: TableColumn, cards: Cards): number {
  const cells = filled(column, cards);
  return cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length);
}

/** Names of columns that number the cards: no value of the game. */
const NUMBERING =
  /^\s*(id|uuid|#|n[or°º]\.?|num(ber)?\.?|card\s*(no|nr|number|id|#)\.?|index|order|row|sort)\s*$/i;

/** Guesses what each column is for. */
function rolesOf(columns: readonly TableColumn[], cards: Cards, copiesColumn: string | undefined): Roles {
  const useful = columns.filter((column) => column.key !== copiesColumn && filled(column, cards).length > 0);
  const colour = useful.find((column) => filled(column, cards).every((cell) => COLOUR.test(cell)));
  const image = useful.find((column) => column.type === 'image');
  const text = useful.filter(
    (column) => column !== colour && column.type === 'text' && !/^(id|uuid)$/i.test(column.name),
  );
  const long = text.filter((column) => averageLength(column, cards) > LONG_TEXT);
  const short = text.filter((column) => !long.includes(column));
  const title = short.find((column) => NAME.test(column.name)) ?? short[0] ?? text[0];
  const kicker = short.find((column) => column !== title && filled(column, cards).length > cards.length / 2);
  const badge = useful.find((column) => column.type === 'number' && !NUMBERING.test(column.name));
  return {
    title,
    kicker,
    badge,
    image,
    colour,
    bodies: long.filter((one) => one !== title).slice(0, MAX_BODIES),
  };
}

const bound = (zone: TextZone, column: TableColumn, style: Partial<TextZone['style']>): TextZone => ({
  ...zone,
  style: { ...zone.style, ...style },
  bindings: { text: { mode: 'column', column: column.name } },
});

/**
 * A decent first layout for a table: a title band, a label, a picture and rules text, each bound to
 * the column that looks right for it, so that a newcomer sees cards at once.
 */
export function suggestLayout(
  name: string,
  columns: readonly TableColumn[],
  cards: Cards,
  copiesColumn: string | undefined,
  newZoneId: () => string,
): Layout {
  const layout = newLayout(name);
  const { w, h } = layout.size;
  const { bleed } = layout;
  const inner = w - MARGIN_MM * 2;
  const { title, kicker, badge, image, colour, bodies } = rolesOf(columns, cards, copiesColumn);
  const zones: Zone[] = [];
  const bandHeight = 13.5;

  // The band reaches into the bleed, so that no white edge shows where the cut strays.
  const band = newZone('shape', newZoneId(), 'Band', {
    x: -bleed,
    y: -bleed,
    w: w + bleed * 2,
    h: bandHeight + bleed,
  });
  zones.push({
    ...band,
    fill: { kind: 'solid', color: '#8d2b14' },
    ...(colour && { bindings: { fill: { mode: 'column', column: colour.name } } }),
  });
  const badgeSize = badge ? 9 : 0;
  if (title) {
    const box = { x: MARGIN_MM, y: 3, w: inner - (badge ? badgeSize + 2 : 0), h: bandHeight - 5 };
    zones.push(
      bound(newZone('text', newZoneId(), title.name, box), title, {
        family: 'cinzel',
        size: 13,
        weight: 700,
        color: '#ffffff',
        vAlign: 'middle',
      }),
    );
  }
  if (badge) {
    const box = { x: w - MARGIN_MM - badgeSize, y: 2.6, w: badgeSize, h: badgeSize };
    const disc = newZone('shape', newZoneId(), `${badge.name} disc`, box);
    zones.push({ ...disc, shape: 'ellipse', fill: { kind: 'solid', color: '#fff6e5' } });
    zones.push(
      bound(newZone('text', newZoneId(), badge.name, box), badge, {
        family: 'cinzel',
        size: 13,
        weight: 700,
        color: '#3a2214',
        align: 'center',
        vAlign: 'middle',
      }),
    );
  }
  let y = bandHeight + 2;
  if (kicker) {
    zones.push(
      bound(newZone('text', newZoneId(), kicker.name, { x: MARGIN_MM, y, w: inner, h: 4.5 }), kicker, {
        family: 'inter',
        size: 7,
        weight: 700,
        color: '#7a6a5a',
        letterSpacing: 0.08,
        transform: 'uppercase',
        vAlign: 'middle',
      }),
    );
    y += 6;
  }
  if (image) {
    const height = bodies.length > 0 ? 30 : h - y - MARGIN_MM;
    const picture = newZone('image', newZoneId(), image.name, { x: MARGIN_MM, y, w: inner, h: height });
    zones.push({
      ...picture,
      radius: [1.5, 1.5, 1.5, 1.5],
      bindings: { source: { mode: 'column', column: image.name } },
    });
    y += height + 2.5;
  }
  const gap = 2;
  const blockHeight = (h - y - MARGIN_MM - gap * Math.max(0, bodies.length - 1)) / Math.max(1, bodies.length);
  bodies.forEach((column, i) => {
    const box = { x: MARGIN_MM, y: y + i * (blockHeight + gap), w: inner, h: blockHeight };
    const text = newZone('text', newZoneId(), column.name, box);
    zones.push({ ...bound(text, column, { size: 9, lineHeight: 1.22 }), hideIfEmpty: true });
  });
  return { ...layout, base: { ...layout.base, fill: { kind: 'solid', color: '#fffaf0' } }, zones };
}

/** Smallest type a layout is shrunk to, in points. */
const MIN_TYPE_PT = 4;

const fitType = (size: number, sx: number, sy: number): number =>
  Math.max(MIN_TYPE_PT, size * Math.min(sx, sy));

/** Properties that languages have of their own, for another size. */
function fitLanguages(languages: NonNullable<Zone['languages']>, sx: number, sy: number): Zone['languages'] {
  const fitted = Object.entries(languages).map(([tag, { x, y, w, h, minSize, style, ...rest }]) => [
    tag,
    {
      ...rest,
      ...(x !== undefined && { x: x * sx }),
      ...(y !== undefined && { y: y * sy }),
      ...(w !== undefined && { w: w * sx }),
      ...(h !== undefined && { h: h * sy }),
      ...(minSize !== undefined && { minSize: fitType(minSize, sx, sy) }),
      ...(style && {
        style: { ...style, ...(style.size !== undefined && { size: fitType(style.size, sx, sy) }) },
      }),
    },
  ]);
  return Object.fromEntries(fitted);
}

/** A layout for another size: everything keeps its share of the card; type grows and shrinks with it. */
export function fitTo(layout: Layout, size: CardSize | undefined): Layout {
  if (!size) return layout;
  const [sx, sy] = [size.w / layout.size.w, size.h / layout.size.h];
  const zones = layout.zones.map((zone): Zone => {
    const box = { x: zone.x * sx, y: zone.y * sy, w: zone.w * sx, h: zone.h * sy };
    const fitted = {
      ...zone,
      ...box,
      ...(zone.languages && { languages: fitLanguages(zone.languages, sx, sy) }),
    };
    return fitted.kind === 'text'
      ? { ...fitted, style: { ...fitted.style, size: fitType(fitted.style.size, sx, sy) } }
      : fitted;
  });
  return { ...layout, size, safe: Math.min(layout.safe, Math.min(size.w, size.h) / 10), zones };
}
