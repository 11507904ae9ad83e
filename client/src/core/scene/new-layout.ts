import { type CardSize, LAYOUT_VERSION, type Layout } from './layout.ts';
import { DEFAULT_BLEED_MM, DEFAULT_PRESET_ID, DEFAULT_SAFE_MM, presetSize } from './sizes.ts';
import { newPlacement } from './style/image-placement.ts';
import { noStroke } from './zones/definition.ts';

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
