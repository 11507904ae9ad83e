import * as z from 'zod';
import type { OwnSpace, SpaceTraits } from '../../board/space.ts';
import { cutText } from '../../text/cut-text.ts';
import type { Mm } from '../../units.ts';
import { bindingsSchema, formulaSchema, nameSchema } from '../binding.ts';
import type { Rect } from '../display/matrix.ts';
import { MAX_CLIP_LENGTH, MAX_NAME_LENGTH } from '../limits.ts';
import {
  blendSchema,
  degSchema,
  fillSchema,
  filterSchema,
  MAX_FILTERS,
  MAX_SHADOWS,
  maskSchema,
  mmPositiveSchema,
  mmSchema,
  type Radii,
  type Sides,
  type Stroke,
  shadowSchema,
  sidesSchema,
  strokeSchema,
} from '../style/paint.ts';
import type { TextStyle } from '../style/text-style.ts';
import { languageOverridesSchema } from './language-override.ts';

/** Properties that zones of every kind have. */
export const commonShape = {
  /** Stable for the life of the zone, unique in its layout. */
  id: z.string().min(1).max(64),
  name: nameSchema,
  x: mmSchema,
  y: mmSchema,
  w: mmPositiveSchema,
  h: mmPositiveSchema,
  rotation: degSchema,
  flipX: z.boolean(),
  flipY: z.boolean(),
  /** 0 is invisible, 1 is opaque. */
  opacity: z.number().min(0).max(1),
  blend: blendSchema,
  /** Not painted, takes no room in a flex container. */
  hidden: z.boolean(),
  /** The editor refuses to move it; painting is not affected. */
  locked: z.boolean(),
  /** Hide the zone on cards where its text or image is empty. */
  hideIfEmpty: z.boolean(),
  fill: fillSchema,
  stroke: strokeSchema,
  shadows: z.array(shadowSchema).max(MAX_SHADOWS),
  /** A formula; the zone is left out of cards where it gives no. Empty shows it always. */
  visibleIf: formulaSchema.default(''),
  /**
   * Shape of the zone in place of its natural one: SVG path data in a square of 100 by 100, or a CSS `polygon()` in
   * percent. The zone's content is clipped to it. Empty keeps the natural shape.
   */
  clipPath: z.string().max(MAX_CLIP_LENGTH).default(''),
  mask: maskSchema.default({ source: '', by: 'alpha', fit: 'stretch' }),
  filters: z.array(filterSchema).max(MAX_FILTERS).default([]),
  /** Behaviour inside a flex container; ignored elsewhere. */
  flex: z.object({
    grow: z.number().min(0).max(100),
    shrink: z.number().min(0).max(100),
    /** Keep `x` and `y` and take no part in the flow. */
    absolute: z.boolean(),
  }),
  bindings: bindingsSchema,
  /** Properties of its own in languages that the cards are translated into. */
  languages: languageOverridesSchema.optional(),
};

/** Arrangement of zones one after the other. */
export const flowShape = {
  direction: z.enum(['row', 'column', 'row-reverse', 'column-reverse']),
  wrap: z.boolean(),
  gap: mmPositiveSchema,
  justify: z.enum(['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']),
  align: z.enum(['start', 'center', 'end', 'stretch']),
  padding: sidesSchema,
};

const commonSchema = z.object(commonShape);
export type ZoneCommon = z.infer<typeof commonSchema>;

/** Place and size of a new zone in its parent. */
export interface Box {
  readonly x: Mm;
  readonly y: Mm;
  readonly w: Mm;
  readonly h: Mm;
}

/** A stored zone of one kind, without the zones inside. */
export interface OwnZone extends ZoneCommon {
  kind: string;
}

/** A list whose entries are merged one by one. */
export interface MergedList {
  /** The property that tells entries apart. */
  readonly by: string;
  /** Most entries: two people may add more together, and a zone with more could not be read again. */
  readonly most: number;
}

/** The document's side of one kind of zone: its stored form and what can be said of it without laying it out. */
export interface ZoneDefinition<Own extends OwnZone = OwnZone, Holds extends boolean = boolean> {
  /**
   * Schema of the stored zone, without the zones inside. A property added later has a default, so that stored zones
   * without it can be read.
   */
  readonly schema: z.ZodType<Own>;
  /** True if other zones lie inside, in `children`. */
  readonly holdsZones: Holds;
  /** Name of a new zone; a number follows it where it is taken. */
  readonly newName: string;
  /** A new zone, without zones inside. */
  create(common: ZoneCommon): Own;
  /** True if the zones inside are painted several times on one card. */
  readonly repeats: boolean;
  /** True if cards differ in the zone even where nothing in it is bound. */
  readonly variesByCard: boolean;
  /** True if a card has no content for the zone, so that `hideIfEmpty` hides it; zones that hold others are judged by them. */
  isEmpty(zone: Own): boolean;
  /** Texts whose characters a card may show, formulas included; fonts are loaded for them. */
  texts(zone: Own): readonly string[];
  /** Style of the zone's type; undefined for kinds that set none. */
  style(zone: Own): TextStyle | undefined;
  /** Lists of the zone whose entries are merged one by one. */
  readonly lists: Readonly<Record<string, MergedList>>;
  /** Merges what is finer than a property. @param versions `merged` has every property merged as a whole */
  merge?(versions: ZoneVersions<Own>, prefer: 'mine' | 'theirs'): Own;
  /** Places for pieces, by the zone's box before its own turn; undefined for a kind that has none. */
  spaces?(zone: Own, box: Rect): readonly OwnSpace[];
  /** The traits that its spaces have, without working out where they lie; none for a zone without spaces. */
  spaceTraits(zone: Own): readonly SpaceTraits[];
  /** The change of a property in words; undefined where its name says enough. */
  describe?(key: string, before: Own, after: Own): string | undefined;
}

/** A zone in the versions of a merge. */
export interface ZoneVersions<Own> {
  readonly base: Own | undefined;
  readonly mine: Own;
  readonly theirs: Own;
  readonly merged: Own;
}

type Required = 'schema' | 'newName' | 'create';
type Given<Own extends OwnZone, Holds extends boolean> = Pick<ZoneDefinition<Own, Holds>, Required> &
  Partial<Omit<ZoneDefinition<Own, Holds>, Required | 'holdsZones'>>;

/** A kind that holds no other zones; what is left out is as for a zone without text that is never empty. */
export const defineZone = <Own extends OwnZone>(given: Given<Own, false>): ZoneDefinition<Own, false> => ({
  ...PLAIN,
  ...given,
  holdsZones: false,
});

/** A kind that holds other zones. */
export const defineParent = <Own extends OwnZone>(given: Given<Own, true>): ZoneDefinition<Own, true> => ({
  ...PLAIN,
  ...given,
  holdsZones: true,
});

const PLAIN = {
  repeats: false,
  isEmpty: () => false,
  texts: () => [],
  style: () => undefined,
  variesByCard: false,
  lists: {},
  spaceTraits: () => [],
};

export const noStroke = (): Stroke => ({ color: '#1f2430', width: 0, align: 'inside', dash: [] });
export const noSides = (): Sides => [0, 0, 0, 0];
export const noRadii = (): Radii => [0, 0, 0, 0];

/** The common properties of a new zone. @param name cut to the length of a name: some are put together of several */
export function newCommon(id: string, name: string, box: Box): ZoneCommon {
  return {
    id,
    name: cutText(name, MAX_NAME_LENGTH),
    ...box,
    rotation: 0,
    flipX: false,
    flipY: false,
    opacity: 1,
    blend: 'normal',
    hidden: false,
    locked: false,
    hideIfEmpty: false,
    fill: { kind: 'none' },
    stroke: noStroke(),
    shadows: [],
    visibleIf: '',
    clipPath: '',
    mask: { source: '', by: 'alpha', fit: 'stretch' },
    filters: [],
    flex: { grow: 0, shrink: 0, absolute: false },
    bindings: {},
  };
}
