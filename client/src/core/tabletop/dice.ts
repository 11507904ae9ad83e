import { ImpositionError } from '../imposition/error.ts';
import type { Painting, PaintingItem } from '../imposition/images/painting.ts';
import { cardName } from '../imposition/job/card-name.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { EMPTY_ROW, type Row } from '../scene/card/row.ts';
import type { TtsObject } from './save.ts';

/**
 * Dice of six faces. The game wraps one square image around a die: six fields of a grid of three by three hold its
 * faces, and `RotationValues` gives the rotation that puts each on top.
 */

export const FACES = 6;
/** Side of the image, in pixels. */
const CANVAS_PX = 2_048;
/** Side of a face in it, and the margin of its background on each side. */
const FACE_PX = 560;
const GROUND_PX = 60;
/** A box with six sides, among the game's dice. */
const SIX_SIDED = 1;

interface Place {
  /** Middle of the face in the image, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly turn: 0 | 180;
  /** Rotation of the die with this face on top, in degrees. */
  readonly rotation: { readonly x: number; readonly y: number; readonly z: number };
}

const PLACES: readonly Place[] = [
  { x: 321, y: 1_712, turn: 180, rotation: { x: -90, y: 0, z: 0 } },
  { x: 321, y: 1_017, turn: 0, rotation: { x: 0, y: 0, z: 0 } },
  { x: 1_021, y: 1_712, turn: 0, rotation: { x: 0, y: 0, z: -90 } },
  { x: 1_021, y: 1_017, turn: 0, rotation: { x: 0, y: 0, z: 90 } },
  { x: 1_712, y: 1_017, turn: 0, rotation: { x: 0, y: 0, z: -180 } },
  { x: 1_712, y: 1_712, turn: 180, rotation: { x: 90, y: 0, z: 0 } },
];

/** Indices of the cards that are the faces of each die: six after each other. */
export function diceOf(part: PrintPart): number[][] {
  const faces = part.cards.flatMap(({ copies }, index) => (copies > 0 ? [index] : []));
  if (faces.length % FACES !== 0) {
    throw new ImpositionError(
      `${part.name || 'These dice'} have ${faces.length} faces: a die has ${FACES}, a row each, so the number of rows must be ${FACES}, ${2 * FACES} and so on.`,
    );
  }
  return Array.from({ length: faces.length / FACES }, (_, die) =>
    faces.slice(die * FACES, (die + 1) * FACES),
  );
}

const rowOf = (part: PrintPart, index: number): Row => ({
  index: index + 1,
  count: part.cards.length,
  ...(part.cards[index]?.row ?? EMPTY_ROW),
});

/** The image around a die. */
export function dicePainting(part: PrintPart, faces: readonly number[]): Painting {
  const { w, h } = part.layout.size;
  const scale = FACE_PX / Math.max(w, h);
  const items = faces.flatMap((index, face): PaintingItem[] => {
    const place = PLACES[face];
    if (!place) return [];
    return [
      {
        layout: part.layout,
        row: rowOf(part, index),
        columns: part.columns,
        x: place.x - (w * scale) / 2,
        y: place.y - (h * scale) / 2,
        scale,
        turn: place.turn,
        bleed: GROUND_PX / scale,
        clipToTrim: false,
        lowInk: false,
      },
    ];
  });
  return { width: CANVAS_PX, height: CANVAS_PX, background: '#ffffff', items, lines: [] };
}

export function diceObject(part: PrintPart, faces: readonly number[], url: string): TtsObject {
  return {
    Name: 'Custom_Dice',
    CustomImage: { ImageURL: url, ImageSecondaryURL: '', WidthScale: 0, CustomDice: { Type: SIX_SIDED } },
    RotationValues: faces.flatMap((index, face) => {
      const place = PLACES[face];
      return place
        ? [{ Value: cardName(rowOf(part, index), part.columns, index), Rotation: place.rotation }]
        : [];
    }),
  };
}
