import { cutText } from '../../core/text/cut-text.ts';
import { DEFAULT_PALETTE_NAME, type Palette, type UserObject } from './schema.ts';

/** Most palettes of one account. */
export const MAX_PALETTES = 50;
/** Most colours of one palette; of more, the newest stay. */
export const MAX_COLOURS = 64;
/** Longest name of a palette, in UTF-16 units. */
export const MAX_PALETTE_NAME_LENGTH = 60;

type Palettes = Pick<UserObject, 'globalPalettes' | 'globalPaletteIndex'>;

/**
 * Adds a palette and chooses it. One of the same name and colours is chosen instead, and where there
 * are as many as there may be, the colours go to the end of the chosen one.
 */
export function withPalette(stored: Palettes, name: string, colours: readonly string[]): Palettes {
  const { globalPalettes, globalPaletteIndex } = stored;
  const paletteArray = [...new Set(colours)].slice(-MAX_COLOURS);
  const added: Palette = {
    name: cutText(name.trim(), MAX_PALETTE_NAME_LENGTH) || DEFAULT_PALETTE_NAME,
    paletteArray,
  };
  const same = globalPalettes.findIndex(
    (one) => one.name === added.name && one.paletteArray.join() === paletteArray.join(),
  );
  if (same >= 0 && paletteArray.length > 0) return { globalPalettes, globalPaletteIndex: same };
  if (globalPalettes.length < MAX_PALETTES) {
    return { globalPalettes: [...globalPalettes, added], globalPaletteIndex: globalPalettes.length };
  }
  return {
    globalPalettes: globalPalettes.map((one, at) =>
      at === globalPaletteIndex
        ? {
            ...one,
            paletteArray: [...new Set([...one.paletteArray, ...paletteArray])].slice(-MAX_COLOURS),
          }
        : one,
    ),
    globalPaletteIndex,
  };
}

/** Most colours that a colour field offers. */
export const MAX_OFFERED = 128;

/** Colours that every colour field offers: the chosen palette's, and after them those of all others when all are shown. */
export function offeredColours({
  globalPalettes,
  globalPaletteIndex,
  globalPalettesExpanded,
}: Pick<UserObject, 'globalPalettes' | 'globalPaletteIndex' | 'globalPalettesExpanded'>): string[] {
  const chosen = globalPalettes[globalPaletteIndex]?.paletteArray ?? [];
  const all = globalPalettesExpanded ? globalPalettes.flatMap(({ paletteArray }) => paletteArray) : [];
  return [...new Set([...chosen, ...all])].slice(0, MAX_OFFERED);
}
