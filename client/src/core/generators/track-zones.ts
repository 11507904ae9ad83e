import type { SpaceRole, SpaceTraits } from '../board/space.ts';
import { type TrackPlace, type TrackSettings, trackPlaces } from '../board/track.ts';
import { readableOn } from '../scene/colour/contrast.ts';
import type { Stroke } from '../scene/style/paint.ts';
import type { TextStyle } from '../scene/style/text-style.ts';
import { defaultTextStyle } from '../scene/style/text-style.ts';
import type { Box } from '../scene/zones/definition.ts';
import { newZone, type Zone, type ZoneOf } from '../scene/zones.ts';

export interface TrackStyle {
  /** Colours of the places in turn; without any they are left blank. */
  readonly colours: readonly string[];
  /** Colour of corners; that of the other places when missing. */
  readonly corners?: string;
  readonly stroke: Stroke;
  readonly type: Partial<TextStyle>;
  /** Places are circles. */
  readonly round?: boolean;
}

export interface TrackContent extends TrackSettings {
  readonly name: string;
  readonly role: SpaceRole;
  /** Traits of its spaces that are not the usual ones. */
  readonly traits?: Partial<SpaceTraits>;
  /** Its places in the box, instead of those of its course. */
  readonly places?: readonly TrackPlace[];
  /** Words on a place, by its index; empty leaves it blank. */
  readonly label: (index: number) => string;
  /** Tells a place from the others, after the track's name; what is written on it when missing. */
  readonly title?: (index: number) => string;
}

/** A track as a group of ordinary zones: a space for each place, coloured, and its number on top. */
export function trackZones(
  box: Box,
  content: TrackContent,
  style: TrackStyle,
  newId: () => string,
): ZoneOf<'container'> {
  const places = content.places ?? trackPlaces(box, content);
  const children = places.flatMap((place, index) => placeZones(place, index, content, style, newId));
  return { ...newZone('container', newId(), content.name, box), arrange: 'free', children };
}

function placeZones(
  place: TrackPlace,
  index: number,
  content: TrackContent,
  style: TrackStyle,
  newId: () => string,
): Zone[] {
  const label = content.label(index);
  const name = `${content.name} ${content.title?.(index) ?? (label || index + 1)}`;
  const at = { x: place.x, y: place.y, w: place.w, h: place.h };
  const colour = (place.corner ? style.corners : undefined) ?? style.colours[index % style.colours.length];
  const look = {
    stroke: style.stroke,
    ...(colour !== undefined && { fill: { kind: 'solid' as const, color: colour } }),
  };
  const space = {
    ...newZone('space', newId(), name, at),
    ...content.traits,
    role: content.role,
    order: index + 1,
  };
  // A space is drawn as a rectangle: below one that is round lies a disc.
  const drawn: Zone[] = style.round
    ? [{ ...newZone('shape', newId(), `Disc of ${name}`, at), shape: 'ellipse', ...look }, space as Zone]
    : [{ ...space, ...look } as Zone];
  if (label === '') return drawn;
  const text = newZone('text', newId(), `Label ${label}`, at);
  const type = { ...defaultTextStyle(), align: 'center', vAlign: 'middle', ...style.type } as TextStyle;
  const color = colour === undefined ? type.color : readableOn(colour, type.color);
  return [...drawn, { ...text, text: label, style: { ...type, color } }];
}
