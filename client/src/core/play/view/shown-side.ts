import type { CardSize } from '../../scene/layout.ts';
import type { Drawn } from '../protocol/looks.ts';
import type { Shown } from '../protocol/messages.ts';
import { sideUp } from './names.ts';
import type { TableView } from './view.ts';

export type SidesOfView = Pick<TableView, 'faces' | 'backs' | 'common'>;

/** The side of a piece that lies up: a drawn one, or a plain one with a text. */
export function shownSide(
  view: SidesOfView,
  shown: Shown,
): { readonly drawn?: Drawn; readonly text: string; readonly size?: CardSize } {
  const face = shown.face === undefined ? undefined : view.faces.get(shown.face);
  const back = shown.back === undefined ? undefined : view.backs.get(shown.back);
  const size = back?.size;
  const hidden = face === undefined || (shown.facing === 'down' && shown.known !== true);
  const drawn = hidden ? back?.drawn : face.sides[sideUp(shown, face.sides.length)];
  const text = hidden ? (back?.name ?? '') : face.name;
  return {
    text,
    ...(drawn && view.common.layouts[drawn.layout] !== undefined && { drawn }),
    ...(size && { size }),
  };
}

/** A piece as whoever looks at it holds it: its face up, if that is seen, however it lies. */
export const heldUp = (shown: Shown): Shown =>
  shown.face !== undefined && shown.facing === 'down' ? { ...shown, facing: 'up' } : shown;
