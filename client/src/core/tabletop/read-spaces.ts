import { ACCEPTED_PIECES, type AcceptedPiece } from '../board/space.ts';
import { PIECE_TAGS } from './board-spaces.ts';
import { type SnapPoint, type TtsObject, type TtsSave, walkObjects } from './save.ts';

/** Snap points of boards as a save of Tabletop Simulator has them, brought back to millimetres. */

/** A snap point of a board, in millimetres from the top left corner of its trim. */
export interface ReadPoint {
  readonly x: number;
  readonly y: number;
  /** The angle that pieces take, in degrees clockwise; undefined where they stay as they are held. */
  readonly turn: number | undefined;
  readonly accepts: readonly AcceptedPiece[];
}

/** A board of a save, with its snap points. */
export interface ReadBoard {
  readonly name: string;
  readonly points: readonly ReadPoint[];
}

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)';
/** A line of the script: shares of the board's sides from its middle, angle, rotation, tags. */
const LINE = new RegExp(`^\\{${NUMBER},${NUMBER},${NUMBER},(true|false)(?:,\\{([^}]*)\\})?\\},?$`);
/** Shares nearer to the middle than this say too little of the board's size. */
const LEAST_SHARE = 0.01;
/** Shares nearer to one another than this are of one place. */
const SAME_SHARE = 5e-4;
/** Widths nearer to one another than this, as a share of them, are one. */
const SAME_WIDTH = 1e-3;
/** Most points of the script, and most saved ones, by which a board is measured. */
const MAX_COMPARED = 200;

interface Share {
  /** Share of the board's width from its left side, and of its height from its top. */
  readonly u: number;
  readonly v: number;
  readonly turn: number | undefined;
  readonly accepts: readonly AcceptedPiece[];
}

const acceptedBy = (tags: readonly string[]): AcceptedPiece[] =>
  ACCEPTED_PIECES.filter((kind) => tags.includes(PIECE_TAGS[kind]));

/** The points that the script of a board sets. */
function scriptPoints({ LuaScript: script = '' }: TtsObject): Share[] {
  return script.split('\n').flatMap((line): Share[] => {
    const [, across, down, angle, turned, tags = ''] = LINE.exec(line.trim()) ?? [];
    if (across === undefined) return [];
    const names = tags.split(',').map((tag) => tag.replace(/"/g, ''));
    return [
      {
        u: 0.5 - Number(across),
        v: Number(down) + 0.5,
        turn: turned === 'true' ? Number(angle) : undefined,
        accepts: acceptedBy(names),
      },
    ];
  });
}

/** The game's own units that a board is wide if a point of its script is the one that was saved here. */
function widthBy({ u, v }: Share, at: SnapPoint['Position'], size: Size): number | undefined {
  const [across, down] = [0.5 - u, v - 0.5];
  const high = size.h / size.w;
  const w = Math.abs(across) > Math.abs(down) ? at.x / across : at.z / (down * high);
  if (Math.max(Math.abs(across), Math.abs(down)) < LEAST_SHARE || w <= 0) return undefined;
  // The picture keeps its proportions.
  const fits = [at.x / w - across, at.z / (w * high) - down].every((off) => Math.abs(off) <= SAME_SHARE);
  return fits ? w : undefined;
}

/**
 * The game's own units that a board is wide and high: those that most pairs of a point of the script and a saved one
 * agree on. Points may have been deleted in the game, so that the others have moved up.
 */
function unitsOf(points: readonly SnapPoint[], script: readonly Share[], size: Size): Size | undefined {
  const widths = script
    .slice(0, MAX_COMPARED)
    .flatMap((share) =>
      points.slice(0, MAX_COMPARED).flatMap(({ Position }) => widthBy(share, Position, size) ?? []),
    )
    .sort((a, b) => a - b);
  let [w, most, from] = [0, 0, 0];
  for (const [to, widest] of widths.entries()) {
    while ((widths[from] ?? widest) < widest * (1 - SAME_WIDTH)) from++;
    // Of two that are as frequent, the smaller one may come from a point near the middle.
    if (to - from + 1 < most) continue;
    most = to - from + 1;
    w = widths[Math.floor((from + to) / 2)] ?? widest;
  }
  return w > 0 ? { w, h: (w * size.h) / size.w } : undefined;
}

interface Size {
  readonly w: number;
  readonly h: number;
}

/**
 * The snap points of a board of a save: as the game has them where it has saved any, points that were moved or added
 * there included; else those that its script sets. Points of boards that were not made here are in units that nothing
 * says, so there are none.
 * @param size of the board, in millimetres
 */
function snapPointsOf(object: TtsObject, size: Size): ReadPoint[] {
  const script = scriptPoints(object);
  const saved = object.AttachedSnapPoints ?? [];
  const units = saved.length > 0 ? unitsOf(saved, script, size) : undefined;
  const shares = units
    ? saved.map(
        ({ Position, Rotation, Tags }): Share => ({
          u: 0.5 - Position.x / units.w,
          v: Position.z / units.h + 0.5,
          turn: Rotation?.y,
          accepts: acceptedBy(Tags ?? []),
        }),
      )
    : script;
  return shares.map(({ u, v, turn, accepts }) => ({ x: u * size.w, y: v * size.h, turn, accepts }));
}

/** Boards and tiles of a save whose snap points were made here. */
export function boardsOfSave(save: TtsSave, size: Size): ReadBoard[] {
  const found: ReadBoard[] = [];
  walkObjects(save, (object) => {
    const points = snapPointsOf(object, size);
    if (points.length > 0) found.push({ name: object.Nickname ?? '', points });
  });
  return found;
}
