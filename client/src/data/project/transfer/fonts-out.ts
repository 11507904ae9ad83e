import type { ProjectBundle } from '../../../core/archive/bundle.ts';
import { FONT_FOLDER, type FontEntry, fontsOf, renameFonts } from '../../../core/archive/fonts.ts';
import { isStoredHere } from '../../../core/stored-file.ts';
import { fontFileName } from '../../fonts/own-fonts.ts';

/**
 * A project together with the font files of its own that its layouts name, which they then call by their names in an archive.
 * @param read reads a file from its address
 * @throws Error naming the font that cannot be read
 */
export async function withFonts(
  bundle: ProjectBundle,
  read: (url: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<ProjectBundle> {
  const names = new Map<string, string>();
  const fonts = new Map<string, FontEntry>();
  for (const { name, scene } of bundle.layouts) {
    for (const url of fontsOf(scene)) {
      if (names.has(url) || !isStoredHere(url)) continue;
      const bytes = await read(url).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(
          `A font of the layout “${name}” cannot be read: ${why} Choose another font for its texts.`,
        );
      });
      const path = await fontFileName(bytes, url);
      names.set(url, FONT_FOLDER + path);
      fonts.set(path, { path, bytes });
    }
  }
  if (fonts.size === 0) return bundle;
  const layouts = bundle.layouts.map((layout) => ({
    ...layout,
    scene: renameFonts(layout.scene, (url) => names.get(url)),
  }));
  return { ...bundle, layouts, fonts: [...fonts.values()] };
}
