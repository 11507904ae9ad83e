import type { Mm } from '../units.ts';
import type { Sides, Stroke } from './paint.ts';
import { DEFAULT_BLEED_MM, DEFAULT_PRESET_ID, DEFAULT_SAFE_MM, presetSize } from './sizes.ts';
import {
  type CardSize,
  type CodeZone,
  type ContainerZone,
  type GridZone,
  type ImagePlacement,
  type ImageZone,
  type IteratorZone,
  LAYOUT_VERSION,
  type Layout,
  type ShapeZone,
  type TextStyle,
  type TextZone,
  type Zone,
  type ZoneCommon,
  type ZoneKind,
} from './zone.ts';

/** Place and size of a new zone in its parent. */
export interface Box {
  readonly x: Mm;
  readonly y: Mm;
  readonly w: Mm;
  readonly h: Mm;
}

export const DEFAULT_FAMILY = 'eb-garamond';

const noStroke = (): Stroke => ({ color: '#1f2430', width: 0, align: 'inside', dash: [] });
const noSides = (): Sides => [0, 0, 0, 0];

function common(id: string, name: string, box: Box): ZoneCommon {
  return {
    id,
    name,
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

export function defaultTextStyle(): TextStyle {
  return {
    family: DEFAULT_FAMILY,
    size: 10,
    weight: 400,
    italic: false,
    color: '#1f2430',
    lineHeight: 1.2,
    letterSpacing: 0,
    paragraphGap: 0.5,
    align: 'left',
    vAlign: 'top',
    transform: 'none',
    wordSpacing: 0,
    smallCaps: false,
    features: '',
    axes: '',
    hyphenate: '',
    direction: 'auto',
    outline: { color: '#ffffff', width: 0 },
  };
}

export function newTextZone(id: string, name: string, box: Box): TextZone {
  return {
    ...common(id, name, box),
    kind: 'text',
    text: '',
    style: defaultTextStyle(),
    radius: [0, 0, 0, 0],
    padding: noSides(),
    fit: 'shrink',
    minSize: 5,
    columns: 1,
    columnGap: 3,
    curve: 0,
    textShadows: [],
    autoHeight: false,
  };
}

/** An image that covers its box, its middle in the middle. */
export function newPlacement(): ImagePlacement {
  return {
    fit: 'cover',
    posX: 50,
    posY: 50,
    scale: 1,
    tile: 10,
    slice: [25, 25, 25, 25],
    sliceWidth: 5,
  };
}

export function newImageZone(id: string, name: string, box: Box): ImageZone {
  return {
    ...common(id, name, box),
    kind: 'image',
    source: '',
    ...newPlacement(),
    radius: [0, 0, 0, 0],
  };
}

export function newShapeZone(id: string, name: string, box: Box): ShapeZone {
  return {
    ...common(id, name, box),
    fill: { kind: 'solid', color: '#c9d1dc' },
    kind: 'shape',
    shape: 'rect',
    radius: [0, 0, 0, 0],
    points: 5,
    inner: 0.5,
  };
}

export function newContainerZone(id: string, name: string, box: Box): ContainerZone {
  return {
    ...common(id, name, box),
    kind: 'container',
    arrange: 'flex',
    direction: 'row',
    wrap: false,
    gap: 1,
    justify: 'start',
    align: 'start',
    padding: noSides(),
    autoHeight: false,
    clip: false,
    radius: [0, 0, 0, 0],
    children: [],
  };
}

export function newCodeZone(id: string, name: string, box: Box): CodeZone {
  return {
    ...common(id, name, box),
    fill: { kind: 'solid', color: '#ffffff' },
    kind: 'code',
    symbology: 'qr',
    text: '',
    color: '#000000',
    quiet: 4,
    correction: 'M',
    radius: [0, 0, 0, 0],
  };
}

export function newGridZone(id: string, name: string, box: Box): GridZone {
  return {
    ...common(id, name, box),
    kind: 'grid',
    cells: 'square',
    cols: 3,
    rows: 3,
    gap: 0,
    cellFill: { kind: 'none' },
    cellStroke: { color: '#1f2430', width: 0.25, align: 'center', dash: [] },
    radius: [0, 0, 0, 0],
    children: [],
  };
}

export function newIteratorZone(id: string, name: string, box: Box): IteratorZone {
  return {
    ...common(id, name, box),
    kind: 'iterator',
    list: '3',
    variable: 'item',
    itemW: Math.min(6, box.w),
    itemH: Math.min(6, box.h),
    direction: 'row',
    wrap: true,
    gap: 1,
    justify: 'start',
    align: 'start',
    padding: noSides(),
    radius: [0, 0, 0, 0],
    children: [],
  };
}

/** A fresh zone of a kind. `id` must be new in the layout: the caller owns randomness. */
export function newZone(kind: ZoneKind, id: string, name: string, box: Box): Zone {
  switch (kind) {
    case 'text':
      return newTextZone(id, name, box);
    case 'image':
      return newImageZone(id, name, box);
    case 'shape':
      return newShapeZone(id, name, box);
    case 'container':
      return newContainerZone(id, name, box);
    case 'code':
      return newCodeZone(id, name, box);
    case 'grid':
      return newGridZone(id, name, box);
    case 'iterator':
      return newIteratorZone(id, name, box);
  }
}

const FALLBACK_SIZE: CardSize = { preset: 'custom', w: 63.5, h: 88.9, shape: 'rounded', radius: 0 };

/** An empty white card. */
export function newLayout(name: string, size?: CardSize): Layout {
  return {
    version: LAYOUT_VERSION,
    name,
    size: size ?? presetSize(DEFAULT_PRESET_ID) ?? FALLBACK_SIZE,
    bleed: DEFAULT_BLEED_MM,
    safe: DEFAULT_SAFE_MM,
    base: {
      id: 'base',
      kind: 'base',
      fill: { kind: 'solid', color: '#ffffff' },
      image: { source: '', ...newPlacement(), opacity: 1 },
      stroke: noStroke(),
      bindings: {},
    },
    zones: [],
    variables: [],
    guides: { x: [], y: [] },
  };
}
