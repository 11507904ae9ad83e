import { makeNetwork, type NetworkSettings } from '../board/network.ts';
import { MAX_SPACE_LINKS } from '../board/space.ts';
import type { Point } from '../scene/display/matrix.ts';
import { defaultTextStyle, type TextStyle } from '../scene/style/text-style.ts';
import type { Box } from '../scene/zones/definition.ts';
import type { PathZone } from '../scene/zones/path.ts';
import { newZone, type Zone, type ZoneOf } from '../scene/zones.ts';
import { ptToMm } from '../units.ts';
import { type NamePlace, namePlaces } from './name-places.ts';

export interface NetworkStyle {
  /** Colours of the places in turn. */
  readonly colours: readonly string[];
  /** Diameter of a place, in millimetres. */
  readonly size: number;
  readonly link: Pick<PathZone, 'color' | 'width' | 'dash'>;
  readonly rim: string;
  readonly type: Partial<TextStyle>;
}

export interface NetworkContent extends NetworkSettings {
  readonly name: string;
  /** Names of the places; those beyond the list are numbered. */
  readonly names: readonly string[];
}

/** Share of a place's size that its name is high. */
const NAME_HEIGHT = 0.5;
/** Room for its name across, in sizes of a place. */
const NAME_WIDTH = 2.4;
/** Width of a letter, in its height. */
const LETTER_WIDTH = 0.55;
/** Thinnest box of a link, in millimetres: a level line has no height. */
const LEAST_MM = 0.5;

/** Places joined by links, as a group of ordinary zones: links below, then discs, spaces and names. */
export function networkZones(
  box: Box,
  content: NetworkContent,
  style: NetworkStyle,
  newId: () => string,
): ZoneOf<'container'> {
  const wide = style.size * NAME_WIDTH;
  const room = { w: Math.max(1, box.w - wide), h: Math.max(1, box.h - style.size * (1 + NAME_HEIGHT)) };
  const { places, links } = makeNetwork(room, content);
  const middle = (index: number): Point => {
    const { x, y } = places[index] ?? { x: 0, y: 0 };
    return { x: x + wide / 2, y: y + style.size / 2 };
  };
  const nameOf = (index: number): string => content.names[index] ?? `${content.name} ${index + 1}`;
  const ids = places.map(() => newId());
  const roads = links.map(([a, b]): Zone => {
    const road = roadBetween(`${nameOf(a)} – ${nameOf(b)}`, middle(a), middle(b), style, newId);
    return { ...road, ends: { from: ids[a] ?? '', to: ids[b] ?? '' } };
  });
  const letter = ptToMm(style.type.size ?? defaultTextStyle().size) * LETTER_WIDTH;
  const names = namePlaces(
    places.map((_, index) => middle(index)),
    style.size,
    links,
    places.map((_, index) => nameOf(index).length * letter),
    { w: wide, h: style.size * NAME_HEIGHT },
    box,
  );
  const spots = places.flatMap((_, index): Zone[] => {
    const colour = style.colours[index % style.colours.length];
    // Each link is kept by one of its ends.
    const to = links.flatMap(([a, b]) => (a === index ? (ids[b] ?? []) : []));
    return placeZones(
      { id: ids[index] ?? newId(), name: nameOf(index), to },
      middle(index),
      names[index],
      colour,
      style,
      newId,
    );
  });
  return {
    ...newZone('container', newId(), content.name, box),
    arrange: 'free',
    children: [...roads, ...spots],
  };
}

function roadBetween(
  name: string,
  from: Point,
  to: Point,
  { link }: NetworkStyle,
  newId: () => string,
): PathZone {
  const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  const [w, h] = [Math.max(LEAST_MM, Math.abs(from.x - to.x)), Math.max(LEAST_MM, Math.abs(from.y - to.y))];
  const share = (point: Point) => ({ x: (point.x - x) / w, y: (point.y - y) / h });
  return {
    ...newZone('path', newId(), name, { x, y, w, h }),
    ...link,
    smooth: false,
    points: [share(from), share(to)],
  };
}

function placeZones(
  { id, name, to }: { readonly id: string; readonly name: string; readonly to: readonly string[] },
  { x, y }: Point,
  place: NamePlace | undefined,
  colour: string | undefined,
  { size, rim, type }: NetworkStyle,
  newId: () => string,
): Zone[] {
  const at = { x: x - size / 2, y: y - size / 2, w: size, h: size };
  const disc: ZoneOf<'shape'> = {
    ...newZone('shape', newId(), `Disc of ${name}`, at),
    shape: 'ellipse',
    fill: colour === undefined ? { kind: 'none' } : { kind: 'solid', color: colour },
    stroke: { color: rim, width: size / 12, align: 'inside', dash: [] },
  };
  const space: ZoneOf<'space'> = {
    ...newZone('space', id, name, at),
    role: 'spot',
    links: to.slice(0, MAX_SPACE_LINKS),
  };
  if (!place) return [disc, space];
  const align = place.side === 'right' ? 'left' : place.side === 'left' ? 'right' : 'center';
  const text: ZoneOf<'text'> = {
    ...newZone('text', newId(), `Name of ${name}`, place.box),
    text: name,
    style: { ...defaultTextStyle(), vAlign: 'middle', ...type, align },
  };
  return [disc, space, text];
}
