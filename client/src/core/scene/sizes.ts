import type { CardSize } from './layout.ts';

/** Trim sizes of common cards in millimetres, as printers and sleeve makers name them. */
export interface SizePreset {
  readonly id: string;
  readonly name: string;
  readonly w: number;
  readonly h: number;
  readonly shape: CardSize['shape'];
}

const rounded = (id: string, name: string, w: number, h: number): SizePreset => ({
  id,
  name,
  w,
  h,
  shape: 'rounded',
});

/** Default corner radius, 1/8 inch. */
export const DEFAULT_RADIUS_MM = 3.175;
/** Default bleed, 1/8 inch. */
export const DEFAULT_BLEED_MM = 3.175;
/** Default safe margin, 1/8 inch. */
export const DEFAULT_SAFE_MM = 3.175;

export const SIZE_PRESETS: readonly SizePreset[] = [
  rounded('poker', 'Poker', 63.5, 88.9),
  rounded('poker-euro', 'Poker (Euro)', 63, 88),
  rounded('bridge', 'Bridge', 57.15, 88.9),
  rounded('us-game', 'US Game', 56, 87),
  rounded('tarot', 'Tarot', 69.85, 120.65),
  rounded('tarot-euro', 'Tarot (Euro)', 70, 120),
  rounded('mini-american', 'Mini American', 41, 63),
  rounded('mini-euro', 'Mini Euro', 44, 67),
  rounded('mini', 'Mini', 44.45, 63.5),
  rounded('micro', 'Micro', 31.75, 44.45),
  rounded('square-small', 'Small square', 63.5, 63.5),
  rounded('square-euro', 'Euro square', 70, 70),
  rounded('square-large', 'Large square', 88.9, 88.9),
  rounded('jumbo', 'Jumbo', 88.9, 139.7),
  rounded('business', 'Business', 50.8, 88.9),
  rounded('domino', 'Domino', 44.45, 88.9),
  rounded('euro-game', 'Euro game', 59, 92),
  rounded('index', 'Index', 76.2, 127),
  { id: 'circle', name: 'Circle', w: 88.9, h: 88.9, shape: 'circle' },
  { id: 'poker-chip', name: 'Poker chip', w: 39, h: 39, shape: 'circle' },
  { id: 'hex', name: 'Hex', w: 95.25, h: 82.55, shape: 'hex-flat' },
];

export const DEFAULT_PRESET_ID = 'poker';

/** The size of a preset, turned on its side when `landscape`; undefined for an unknown id. */
export function presetSize(id: string, landscape = false): CardSize | undefined {
  const preset = SIZE_PRESETS.find((candidate) => candidate.id === id);
  if (!preset) return undefined;
  return {
    preset: preset.id,
    w: landscape ? preset.h : preset.w,
    h: landscape ? preset.w : preset.h,
    shape: preset.shape === 'hex-flat' && landscape ? 'hex-pointy' : preset.shape,
    radius: preset.shape === 'rounded' ? DEFAULT_RADIUS_MM : 0,
  };
}

/** True if a layout can be the back of another. */
export function sameSize(
  a: { readonly size: { readonly w: number; readonly h: number } },
  b: { readonly size: { readonly w: number; readonly h: number } },
): boolean {
  return Math.abs(a.size.w - b.size.w) < 0.01 && Math.abs(a.size.h - b.size.h) < 0.01;
}
