import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { cardName } from '../job/card-name.ts';
import type { PrintPart } from '../job/print-job.ts';
import type { Painting, PaintingItem } from './painting.ts';

/**
 * Contact sheets: all cards of a component, small, each with its number and name, to check that names and faces agree.
 */

const COLUMNS = 6;
const ROWS = 5;
const CARD_PX = 230;
const GAP_PX = 20;
const CAPTION_MM = 9;
const CAPTION = 'caption';

export function contactSheets(part: PrintPart): Painting[] {
  const { w, h } = part.layout.size;
  const scale = CARD_PX / w;
  const caption = captionLayout(w);
  const cellHeight = Math.ceil((h + CAPTION_MM) * scale) + GAP_PX;
  const sheets: Painting[] = [];
  for (let start = 0; start < part.cards.length; start += COLUMNS * ROWS) {
    const cards = part.cards.slice(start, start + COLUMNS * ROWS);
    const items = cards.flatMap(({ row, copies }, index): PaintingItem[] => {
      const card = start + index;
      const x = GAP_PX + (index % COLUMNS) * (CARD_PX + GAP_PX);
      const y = GAP_PX + Math.floor(index / COLUMNS) * cellHeight;
      const common = { scale, turn: 0, bleed: 0, lowInk: false } as const;
      const name = `${card + 1}. ${cardName(row, part.columns, card)}${copies === 1 ? '' : ` ×${copies}`}`;
      return [
        {
          ...common,
          layout: part.layout,
          row: { index: card + 1, count: part.cards.length, ...row },
          columns: part.columns,
          x,
          y,
          clipToTrim: true,
        },
        {
          ...common,
          layout: caption,
          row: { cells: { [CAPTION]: name } },
          columns: [{ key: CAPTION, name: CAPTION }],
          x,
          y: y + h * scale,
          clipToTrim: false,
        },
      ];
    });
    sheets.push({
      width: GAP_PX + COLUMNS * (CARD_PX + GAP_PX),
      height: GAP_PX + Math.ceil(cards.length / COLUMNS) * cellHeight,
      background: '#ffffff',
      items,
      lines: [],
    });
  }
  return sheets;
}

function captionLayout(w: number): Layout {
  const layout = newLayout('Caption', { preset: 'custom', w, h: CAPTION_MM, shape: 'rect', radius: 0 });
  layout.base.fill = { kind: 'none' };
  const zone = newZone('text', 'caption', 'Caption', { x: 0, y: 1.5, w, h: CAPTION_MM - 2 });
  zone.bindings = { text: { mode: 'column', column: CAPTION } };
  // Captions scale with the card.
  Object.assign(zone.style, { family: 'inter', size: Math.max(4, w / 8.5), vAlign: 'top', align: 'left' });
  zone.minSize = 2;
  layout.zones = [zone];
  return layout;
}
