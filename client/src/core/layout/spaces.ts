import { type OwnSpace, pieceTurn } from '../board/space.ts';
import type { Layout } from '../scene/layout.ts';
import { aboutCentre, applyTo, IDENTITY, type Matrix, multiply, type Rect } from '../scene/matrix.ts';
import type { Column, Row } from '../scene/row.ts';
import { definitionOf } from '../scene/zones.ts';
import { type ShownContainer, type ShownZone, sourceId } from './card-data.ts';
import { flexBoxes } from './flex.ts';
import { resolveTree } from './resolve-tree.ts';

/** Most spaces of one card; as many as a map has cells. */
export const MAX_SPACES = 20_000;

/** A space where it lies on the card. */
export interface Space extends Pick<OwnSpace, 'name' | 'role' | 'accepts' | 'holds' | 'order' | 'links'> {
  /** Id of its zone in the document. */
  readonly zone: string;
  /** Centre, in millimetres from the top left corner of the trim. */
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Degrees clockwise. */
  readonly turn: number;
  /** The angle that pieces take there, in degrees clockwise; undefined where they stay as they are held. */
  readonly piecesTurn: number | undefined;
}

/**
 * The spaces of one card, in the order of the layers. Texts are not set for it, so zones below a text that grows in a
 * flex container lie as if it had the height it is drawn with.
 */
export function spacesOf(document: Pick<Layout, 'zones'>, row: Row, columns: readonly Column[]): Space[] {
  const found: Space[] = [];
  for (const zone of resolveTree(document.zones, row, columns, []))
    visit(zone, { x: zone.x, y: zone.y, w: zone.w, h: zone.h }, IDENTITY, new Map(), found);
  return found;
}

function visit(
  zone: ShownZone,
  box: Rect,
  outer: Matrix,
  placed: ReadonlyMap<string, Rect>,
  found: Space[],
): void {
  const matrix = multiply(outer, aboutCentre(box, zone.rotation, zone.flipX, zone.flipY));
  if (zone.kind === 'container') {
    visitChildren(zone, box, matrix, placed, found);
    return;
  }
  const turn = turnOf(matrix);
  for (const own of definitionOf(zone).spaces?.(zone, box) ?? []) {
    if (found.length >= MAX_SPACES) return;
    const { name, role, accepts, holds, order, links } = own;
    const { x, y } = applyTo(matrix, { x: own.box.x + own.box.w / 2, y: own.box.y + own.box.h / 2 });
    const more = pieceTurn(own);
    found.push({
      zone: sourceId(zone.id),
      ...{ name, role, accepts, holds, order, links, x, y, turn },
      w: own.box.w,
      h: own.box.h,
      piecesTurn: more === undefined ? undefined : wholeTurn(turn + more),
    });
  }
}

function visitChildren(
  zone: ShownContainer,
  box: Rect,
  matrix: Matrix,
  placed: ReadonlyMap<string, Rect>,
  found: Space[],
): void {
  const boxes = zone.arrange === 'flex' && !placed.has(zone.id) ? flexBoxes(zone, () => undefined) : placed;
  for (const child of zone.children) {
    const given = zone.arrange === 'flex' ? boxes.get(child.id) : undefined;
    const { x, y, w, h } = given ?? child;
    visit(child, { x: box.x + x, y: box.y + y, w, h }, matrix, given ? boxes : new Map(), found);
  }
}

/** Turn of a matrix in degrees clockwise, 0 up to 360; of a mirrored one that of its horizontal side. */
function turnOf([a, b]: Matrix): number {
  return wholeTurn((Math.atan2(b, a) * 180) / Math.PI);
}

/** An angle in degrees, 0 up to 360. */
function wholeTurn(turn: number): number {
  return (Math.round((((turn % 360) + 360) % 360) * 1e6) / 1e6) % 360;
}
