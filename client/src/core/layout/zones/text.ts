import type { PushOp } from '../../scene/display/display-list.ts';
import { aboutCentre, type Matrix } from '../../scene/display/matrix.ts';
import { rectOutline } from '../../scene/display/outline.ts';
import { type ImagePlacement, newPlacement } from '../../scene/style/image-placement.ts';
import type { TextZone } from '../../scene/zones/text.ts';
import { layText, naturalHeight, type ReadText, readText } from '../text-zone.ts';
import type { CardPainter, LeafLayout } from '../zone-layout.ts';

const ICON_PLACEMENT: ImagePlacement = { ...newPlacement(), fit: 'contain' };

export const TEXT: LeafLayout<TextZone> = {
  outline: ({ radius }, box) => rectOutline(box, radius),
  paint(zone, box, _outline, card) {
    const laid = layText(zone, read(zone, card), box);
    card.report(...laid.issues);
    if (laid.squeeze) card.paint(groupPush(laid.squeeze));
    card.paint(...laid.ops);
    for (const { source, box: place, turn } of laid.icons) {
      if (turn)
        card.paint(groupPush(aboutCentre({ x: turn.x, y: turn.y, w: 0, h: 0 }, turn.degrees, false, false)));
      card.image(zone.id, source, ICON_PLACEMENT, place, rectOutline(place), 1);
      if (turn) card.paint({ op: 'pop' });
    }
    if (laid.squeeze) card.paint({ op: 'pop' });
    return { text: laid.plain, fittedSize: laid.size };
  },
  naturalHeight: (zone, card) =>
    zone.autoHeight ? (width) => naturalHeight(zone, read(zone, card), width) : undefined,
};

/** The zone's text, measured once for its height and its painting. */
const read = (zone: TextZone, card: CardPainter): ReadText =>
  card.once(zone.id, () => readText(zone, card.row, card.variables, card.assets, () => card.forms));

/** Opens a group that only moves its content. */
const groupPush = (matrix: Matrix): PushOp => ({
  op: 'push',
  matrix,
  clip: null,
  opacity: 1,
  blend: 'normal',
});
