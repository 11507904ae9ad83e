import { type FlexBoxes, hasFlex, type Space, spacesIn } from '../../layout/spaces.ts';
import type { CommonLook, Drawn } from '../protocol/looks.ts';
import type { Handle, PieceKind, Shown } from '../protocol/messages.ts';
import { arranged, covers, isArea, type Placed } from './arrange.ts';
import type { TableView } from './view.ts';

/** Spaces of the boards on a table: where pieces come to rest, and what such a place is called. */

/** A space of a board where it lies on the table, in tenths of a millimetre. */
export interface TableSpace extends Space {
  readonly board: Handle;
}

/** Tenths of a millimetre. */
const TENTHS = 10;

/** Working out the spaces of a large map takes a while, and boards are moved about. */
let known = new WeakMap<Drawn, readonly Space[]>();

/** Puts zones of flex containers in their places; few boards have any, so pages load it for those alone. */
let flexBoxes: FlexBoxes | undefined;

/** True if boards have spaces that lie right only with {@link setFlexBoxes}. */
export const needsFlex = ({ layouts }: Pick<CommonLook, 'layouts'>): boolean =>
  flexBoxes === undefined && layouts.some(({ zones }) => hasFlex(zones));

/** Boards as they lie, and the spaces that pieces were found in: boards seldom move, and most pieces lie still. */
interface Found extends Pick<TableView, 'faces' | 'backs' | 'common'> {
  readonly boards: readonly Shown[];
  readonly spaces: readonly TableSpace[];
  readonly under: WeakMap<Shown, TableSpace | undefined>;
}
let found: Found | undefined;

/** Has the spaces in flex containers worked out from now on. */
export function setFlexBoxes(boxes: FlexBoxes | undefined): void {
  flexBoxes = boxes;
  known = new WeakMap();
  lying = new WeakMap();
  found = undefined;
}

function spacesOfFace(drawn: Drawn, common: CommonLook): readonly Space[] {
  const before = known.get(drawn);
  if (before) return before;
  const layout = common.layouts[drawn.layout];
  const spaces = layout ? spacesIn(layout, drawn, common.tables[drawn.table] ?? [], flexBoxes) : [];
  known.set(drawn, spaces);
  return spaces;
}

/** Spaces of the boards as they lie: gestures and commands ask again and again between two changes of a table. */
let lying = new WeakMap<readonly Placed[], readonly TableSpace[]>();

/** The spaces of every board that lies face up, those of the topmost board last. @param placed of this view */
export function tableSpaces(
  view: Pick<TableView, 'faces' | 'common'>,
  placed: readonly Placed[],
): readonly TableSpace[] {
  const spaces = lying.get(placed) ?? spacesOnTable(view, placed);
  lying.set(placed, spaces);
  return spaces;
}

function spacesOnTable(
  view: Pick<TableView, 'faces' | 'common'>,
  placed: readonly Placed[],
): readonly TableSpace[] {
  return placed.flatMap((one) => {
    const { shown } = one;
    if (shown.kind !== 'board' || shown.facing === 'down' || shown.face === undefined) return [];
    const [side] = view.faces.get(shown.face)?.sides ?? [];
    return side ? spacesOfFace(side, view.common).map((space) => onTable(space, one)) : [];
  });
}

function onTable(space: Space, board: Placed): TableSpace {
  const angle = (board.turn * Math.PI) / 180;
  const [dx, dy] = [space.x * TENTHS - board.w / 2, space.y * TENTHS - board.h / 2];
  return {
    ...space,
    board: board.handle,
    x: board.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: board.y + dx * Math.sin(angle) + dy * Math.cos(angle),
    w: space.w * TENTHS,
    h: space.h * TENTHS,
    turn: space.turn + board.turn,
    piecesTurn: space.piecesTurn === undefined ? undefined : space.piecesTurn + board.turn,
  };
}

const away = ({ x, y }: TableSpace, px: number, py: number): number => Math.hypot(x - px, y - py);

/** The space that a point lies in: of the topmost board, and of cells that reach over each other the nearest. */
export function spaceAt(spaces: readonly TableSpace[], x: number, y: number): TableSpace | undefined {
  const within = spaces.filter((space) => covers(space, x, y));
  const top = within.at(-1)?.board;
  return within
    .filter(({ board }) => board === top)
    .reduce<TableSpace | undefined>(
      (best, one) => (best && away(best, x, y) <= away(one, x, y) ? best : one),
      undefined,
    );
}

type ViewOfSpaces = Pick<TableView, 'faces' | 'backs' | 'common' | 'pieces'>;

/** Answers the space of a board that a piece lies in: none for one in a pile, and for boards themselves. */
export function spacesUnder({ pieces, ...looks }: ViewOfSpaces): (handle: Handle) => TableSpace | undefined {
  const { faces, backs, common } = looks;
  const lies = new Map([...pieces].filter(([, { kind }]) => kind === 'board'));
  const boards = [...lies.values()];
  const same =
    found?.faces === faces &&
    found.backs === backs &&
    found.common === common &&
    found.boards.length === boards.length &&
    found.boards.every((board, at) => board === boards[at]);
  if (!found || !same) {
    const spaces = tableSpaces(looks, arranged({ backs, pieces: lies }));
    found = { faces, backs, common, boards, spaces, under: new WeakMap() };
  }
  const { spaces, under } = found;
  return (handle) => {
    const piece = pieces.get(handle);
    if (!piece || spaces.length === 0 || piece.kind === 'board' || piece.holder !== undefined)
      return undefined;
    if (!under.has(piece)) under.set(piece, spaceAt(spaces, piece.x, piece.y));
    return under.get(piece);
  };
}

/** The space of a board that a piece lies in. */
export const spaceUnder = (view: ViewOfSpaces, handle: Handle): TableSpace | undefined =>
  spacesUnder(view)(handle);

/** Pieces that come to rest, and what lies on the table already. */
export interface Resting {
  readonly kinds: readonly (PieceKind | undefined)[];
  /** Everything else on the table. */
  readonly lying: readonly Placed[];
}

/**
 * The place where pieces that are let go at a point come to rest: the middle of a space. In an area things lie loose; so
 * do pieces of a kind that the space does not accept, and those for which it has no room left.
 */
export function restingPlace(
  spaces: readonly TableSpace[],
  at: { readonly x: number; readonly y: number },
  pieces?: Resting,
): TableSpace | undefined {
  const space = spaceAt(spaces, at.x, at.y);
  return space && space.role !== 'area' && takesIn(space, pieces) ? space : undefined;
}

function takesIn(space: TableSpace, pieces: Resting | undefined): boolean {
  if (!pieces) return true;
  const { accepts, holds } = space;
  if (accepts.length > 0 && !pieces.kinds.every((kind) => accepts.some((one) => one === kind))) return false;
  return holds === 0 || countIn(space, pieces.lying) + pieces.kinds.length <= holds;
}

/** Pieces whose middle lies in a space; those of a pile count each. */
function countIn(space: TableSpace, lying: readonly Placed[]): number {
  return lying.reduce((sum, { shown, inside, x, y }) => {
    if (shown.kind === 'board' || isArea(shown) || inside !== undefined || !covers(space, x, y)) return sum;
    return sum + (shown.container?.kind === 'stack' ? (shown.container.count ?? 1) : 1);
  }, 0);
}

/** The kinds of pieces as spaces tell them apart: a pile is of the kind of what lies on top. */
export function restingOf(
  { pieces }: Pick<TableView, 'pieces'>,
  placed: readonly Placed[],
  handles: readonly Handle[],
): Resting {
  const moving = new Set(handles);
  const tops = new Map(placed.map(({ handle, top }) => [handle, top]));
  return {
    kinds: handles.flatMap((handle) => {
      const piece = pieces.get(handle);
      const pile = piece?.container?.kind === 'stack' ? piece.container : undefined;
      if (!pile) return [piece?.kind];
      const kind = tops.get(handle)?.kind ?? piece?.kind;
      return Array.from({ length: Math.max(1, pile.count ?? 1) }, () => kind);
    }),
    lying: placed.filter(({ handle, inside }) => !moving.has(handle) && !moving.has(inside ?? '')),
  };
}

/** The spaces that a space leads to, by its own links and theirs; one without links leads to every space. */
function waysFrom(spaces: readonly TableSpace[], here: TableSpace | undefined): readonly TableSpace[] {
  if (!here) return spaces;
  const ways = spaces.filter(
    (one) =>
      one.board === here.board &&
      one !== here &&
      (here.links.includes(one.zone) || one.links.includes(here.zone)),
  );
  return ways.length > 0 ? ways : spaces;
}

/**
 * The space that comes after another in the order of play, or before it; the nearest where several have that place.
 * Spaces that do not take the pieces in are passed over.
 * @param step 1 or -1
 */
export function neighbourInOrder(
  spaces: readonly TableSpace[],
  from: { readonly x: number; readonly y: number },
  step: 1 | -1,
  pieces?: Resting,
): TableSpace | undefined {
  const here = spaceAt(spaces, from.x, from.y);
  if (!here || here.order === 0) return undefined;
  let best: TableSpace | undefined;
  for (const one of spaces) {
    const ahead = (one.order - here.order) * step;
    if (one.board !== here.board || one.order === 0 || ahead <= 0 || !takesIn(one, pieces)) continue;
    const least = best ? (best.order - here.order) * step : Number.POSITIVE_INFINITY;
    const nearer = best !== undefined && away(one, here.x, here.y) < away(best, here.x, here.y);
    if (ahead < least || (ahead === least && nearer)) best = one;
  }
  return best;
}

/** Width of the sector in which a step looks for the next space, in shares of its way. */
const SECTOR = 1.2;

/**
 * The nearest space from a place in a direction, along links where the place has any; undefined where there is none.
 * @param way a unit vector
 * @param pieces what is to come to rest there; spaces that do not take it in are passed over
 */
export function nextSpace(
  spaces: readonly TableSpace[],
  from: { readonly x: number; readonly y: number },
  [wx, wy]: readonly [number, number],
  pieces?: Resting,
): TableSpace | undefined {
  let [best, least] = [undefined as TableSpace | undefined, Number.POSITIVE_INFINITY];
  for (const space of waysFrom(spaces, spaceAt(spaces, from.x, from.y))) {
    const [dx, dy] = [space.x - from.x, space.y - from.y];
    const along = dx * wx + dy * wy;
    const across = Math.abs(dx * wy - dy * wx);
    // A place where the piece lies already is not the next one.
    if (along < 1 || across > along * SECTOR || !takesIn(space, pieces)) continue;
    const cost = along + across;
    if (cost < least) [best, least] = [space, cost];
  }
  return best;
}
