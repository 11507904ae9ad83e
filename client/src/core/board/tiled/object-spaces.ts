import type { Rect } from '../../scene/display/matrix.ts';
import { MAX_NAME_LENGTH, MAX_ZONES } from '../../scene/limits.ts';
import { cutText } from '../../text/cut-text.ts';
import {
  ACCEPTED_PIECES,
  isNear,
  MAX_HELD,
  MAX_ORDER,
  MAX_SPACE_LINKS,
  SPACE_ROLES,
  SPACE_TURNINGS,
  type SpaceTraits,
} from '../space.ts';
import type { TiledLayer, TiledObject } from './schema.ts';

/** Objects of Tiled as spaces of a board. */

/** An object of Tiled; its box before its turn in shares of the map's width and height, empty for a point. */
export interface TiledSpace extends Rect, SpaceTraits {
  readonly name: string;
  /** Degrees clockwise, about its middle. */
  readonly rotation: number;
  readonly order: number;
  /** Indexes of the spaces that it leads to. */
  readonly links: readonly number[];
}

/** Characters kept free for a number behind a name. */
const NUMBER_ROOM = 6;
/** Most objects that become spaces: a layout has room for them beside the map. */
const MAX_SPACES = MAX_ZONES - 1;

/** @param frame of the map in pixels @param remarks sentences about what is left out are added */
export function spacesOf(frame: Rect, layers: readonly TiledLayer[], remarks: string[]): TiledSpace[] {
  const shown = layers.flatMap(({ objects = [], offsetx, offsety }) =>
    objects
      .filter(({ visible }) => visible)
      .map((object) => ({ ...object, x: object.x + offsetx, y: object.y + offsety })),
  );
  const places = shown.filter(isPlace);
  if (places.length < shown.length)
    remarks.push(`${shown.length - places.length} of its objects are left out: lines, texts and templates.`);
  const placed = places.filter((object) => isNear(boxOf(object).box, frame));
  if (placed.length < places.length)
    remarks.push(
      `${places.length - placed.length} of its objects are left out: they lie far outside of the map.`,
    );
  if (placed.length > MAX_SPACES)
    remarks.push(`${placed.length - MAX_SPACES} of its objects are left out; ${MAX_SPACES} become spaces.`);
  const objects = placed.slice(0, MAX_SPACES);
  const indexes = new Map(objects.map(({ id }, index) => [id, index]));
  const names = new Set<string>();
  return objects.map((object, at): TiledSpace => {
    const name = freshName(object.name || `Object ${at + 1}`, names);
    const { box, rotation } = boxOf(object);
    const large = box.w > 0 && box.h > 0;
    const told = SPACE_ROLES.find((role) => role === (object.type || object.class));
    return {
      name,
      ...traitsOf(object),
      // A point holds a piece on its middle, whatever else it is called.
      role: large ? (told ?? 'area') : 'spot',
      x: (box.x - frame.x) / frame.w,
      y: (box.y - frame.y) / frame.h,
      w: large ? box.w / frame.w : 0,
      h: large ? box.h / frame.h : 0,
      rotation,
      links: linksOf(object, indexes),
    };
  });
}

/** A name that none of `names` is, which it is added to; cut to the length of a name. */
export function freshName(wanted: string, names: Set<string>): string {
  const short = cutText(wanted, MAX_NAME_LENGTH - NUMBER_ROOM);
  let name = short;
  for (let number = 2; names.has(name); number++) name = `${short} ${number}`;
  names.add(name);
  return name;
}

const isPlace = ({ polyline, text, template }: TiledObject): boolean =>
  polyline === undefined && text === undefined && template === undefined;

/** The box of an object before it turns about its middle; Tiled turns it about its corner, a tile about the lower one. */
function boxOf(object: TiledObject): { box: Rect; rotation: number } {
  const { x, y, rotation, gid, polygon } = object;
  const angle = (rotation * Math.PI) / 180;
  const bounds = polygon ? boundsOf(polygon) : { x: 0, y: 0, w: object.width, h: object.height };
  const [w, h] = [Math.max(0, bounds.w), Math.max(0, bounds.h)];
  const [dx, dy] = [bounds.x + w / 2, gid === undefined ? bounds.y + h / 2 : -h / 2];
  const middle = {
    x: x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: y + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
  return { box: { x: middle.x - w / 2, y: middle.y - h / 2, w, h }, rotation: rotation % 360 };
}

function boundsOf(points: readonly { readonly x: number; readonly y: number }[]): Rect {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  if (points.length === 0) return { x: 0, y: 0, w: 0, h: 0 };
  return { x: left, y: top, w: Math.max(...xs) - left, h: Math.max(...ys) - top };
}

/** Properties of an object that say more of a space than Tiled knows; those that cannot be are left out. */
function traitsOf({
  properties,
}: TiledObject): Omit<TiledSpace, 'name' | 'role' | 'links' | 'rotation' | keyof Rect> {
  const given = (name: string) => properties.find((one) => one.name === name)?.value;
  const whole = (name: string, most: number): number => {
    const value = Number(given(name) ?? 0);
    return Number.isInteger(value) && value >= 0 && value <= most ? value : 0;
  };
  const turn = Number(given('turn') ?? 0);
  const accepted = String(given('accepts') ?? '')
    .toLowerCase()
    .split(/[\s,;]+/);
  return {
    turning: SPACE_TURNINGS.find((one) => one === given('turning')) ?? 'usual',
    turn: Number.isFinite(turn) ? turn % 360 : 0,
    accepts: ACCEPTED_PIECES.filter((kind) => accepted.includes(kind)),
    holds: whole('holds', MAX_HELD),
    order: whole('order', MAX_ORDER),
  };
}

/** Objects that properties of an object name, however these are called. */
function linksOf({ properties }: TiledObject, indexes: ReadonlyMap<number, number>): number[] {
  const named = properties.flatMap(({ type, value }) =>
    type === 'object' ? (indexes.get(Number(value)) ?? []) : [],
  );
  return [...new Set(named)].slice(0, MAX_SPACE_LINKS);
}
