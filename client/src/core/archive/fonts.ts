import type { Json, JsonObject } from './bundle.ts';

/** A font's file. Layouts name it by its path in the archive, `fonts/…`. */
export interface FontEntry {
  /** Its name below `fonts/`: of its content, so that one file is there once. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Folder of the font files in an archive. */
export const FONT_FOLDER = 'fonts/';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The addresses of the font files that a scene names. */
export function fontsOf({ fonts }: JsonObject): string[] {
  return (Array.isArray(fonts) ? fonts : []).flatMap((font: Json) =>
    isObject(font) && typeof font.url === 'string' ? [font.url] : [],
  );
}

/** A scene with other addresses of its font files; `undefined` leaves one as it is. */
export function renameFonts(scene: JsonObject, rename: (url: string) => string | undefined): JsonObject {
  if (!Array.isArray(scene.fonts)) return scene;
  const fonts = scene.fonts.map((font: Json) =>
    isObject(font) && typeof font.url === 'string' ? { ...font, url: rename(font.url) ?? font.url } : font,
  );
  return { ...scene, fonts };
}
