import { type OwnSpace, pieceTurn } from '../board/space.ts';
import type { Column, Row } from '../scene/card/row.ts';
import { aboutCentre, applyTo, IDENTITY, type Matrix, multiply, type Rect } from '../scene/display/matrix.ts';
import type { Layout } from '../scene/layout.ts';
import { definitionOf, isParent, type Zone } from '../scene/zones.ts';
import { type ShownContainer, type ShownZone, sourceId } from './card-data.ts';
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

/** Boxes of the zones in a flex container by their ids; see `flex.ts`, which not every page loads. */
export type FlexBoxes = (container: ShownContainer) => ReadonlyMap<string, Rect>;

/** The spaces of a card that were found, and how flex containers are laid out. */
interface Gathering {
  readonly found: Space[];
  readonly flexBoxes: FlexBoxes | undefined;
}

/** True if zones lie where a flex container puts them. */
export const hasFlex = (zones: readonly Zone[]): boolean =>
  zones.some(
    (zone) =>
      (zone.kind === 'container' && zone.arrange === 'flex') || (isParent(zone) && hasFlex(zone.children)),
  );

/**
 * The spaces of one card, in the order of the layers. Without `flexBoxes`, spaces in flex containers are left out.
 */
export function spacesIn(
  document: Pick<Layout, 'zones'>,
  row: Row,
  columns: readonly Column[],
  flexBoxes: FlexBoxes | undefined,
): Space[] {
  const gathering: Gathering = { found: [], flexBoxes };
  for (const zone of resolveTree(document.zones, row, columns, []))
    visit(zone, { x: zone.x, y: zone.y, w: zone.w, h: zone.h }, IDENTITY, new Map(), gathering);
  return gathering.found;
}

function visit(
  zone: ShownZone,
  box: Rect,
  outer: Matrix,
  placed: ReadonlyMap<string, Rect>,
  gathering: Gathering,
): void {
  const matrix = multiply(outer, aboutCentre(box, zone.rotation, zone.flipX, zone.flipY));
  if (zone.kind === 'container') {
    visitChildren(zone, box, matrix, placed, gathering);
    return;
  }
  const turn = turnOf(matrix);
  for (const own of definitionOf(zone).spaces?.(zone, box) ?? []) {
    if (gathering.found.length >= MAX_SPACES) return;
    const { name, role, accepts, holds, order, links } = own;
    const { x, y } = applyTo(matrix, { x: own.box.x + own.box.w / 2, y: own.box.y + own.box.h / 2 });
    const more = pieceTurn(own);
    gathering.found.push({
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
  gathering: Gathering,
): void {
  const isOutermost = zone.arrange === 'flex' && !placed.has(zone.id);
  if (isOutermost && !gathering.flexBoxes) return;
  const boxes = (isOutermost && gathering.flexBoxes?.(zone)) || placed;
  for (const child of zone.children) {
    const given = zone.arrange === 'flex' ? boxes.get(child.id) : undefined;
    const { x, y, w, h } = given ?? child;
    visit(child, { x: box.x + x, y: box.y + y, w, h }, matrix, given ? boxes : new Map(), gathering);
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
