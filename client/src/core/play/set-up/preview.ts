import type { GameBox } from '../box/pack.ts';
import { type BackLook, type FaceLook, readBack, readCommon, readFace } from '../protocol/looks.ts';
import type { Shown } from '../protocol/messages.ts';
import type { TableView } from '../view/view.ts';

/** Space between things on the table, in tenths of a millimetre. */
const GAP = 80;

/** The part of a table that pictures of it show. */
export type Preview = Pick<TableView, 'pieces' | 'faces' | 'backs' | 'common'>;

type PreviewBox = Pick<GameBox, 'backs' | 'common'> & {
  readonly definitions: readonly Pick<GameBox['definitions'][number], 'face' | 'back' | 'copies'>[];
};

/**
 * A game of cards under way, for a picture: a deck face down, a few cards face up beside it, and others below.
 * @param open numbers of the definitions that lie face up, in rows of `columns`
 */
export function previewOf(box: PreviewBox, name: string, open: readonly number[], columns: number): Preview {
  const backs = new Map<number, BackLook>(box.backs.map(({ look }, no) => [no, readBack(look)]));
  const faces = new Map<number, FaceLook>();
  const pieces = new Map<string, Shown>();
  const [w, h] = box.backs[0]?.size ?? [0, 0];
  const count = box.definitions.reduce((sum, { copies }) => sum + copies, 0) - open.length;
  const at = (column: number, row: number) => ({ surface: 0, x: column * (w + GAP), y: row * (h + GAP) });
  pieces.set('deck', {
    ...at(-1.12, 0),
    z: 0,
    name,
    container: { kind: 'stack', arrangement: 'free', policy: null, size: [w, h], count },
  });
  pieces.set('top', {
    holder: 'deck',
    at: count - 1,
    x: 0,
    y: 0,
    z: 0,
    kind: 'card',
    back: 0,
    facing: 'down',
  });
  for (const [nth, no] of open.entries()) {
    const definition = box.definitions[no];
    if (!definition) continue;
    faces.set(no, readFace(definition.face));
    const place = at(nth % columns, Math.floor(nth / columns));
    pieces.set(`open-${nth}`, {
      ...place,
      z: nth + 1,
      kind: 'card',
      back: definition.back,
      face: no,
      facing: 'up',
    });
  }
  return { pieces, faces, backs, common: readCommon(box.common) };
}
