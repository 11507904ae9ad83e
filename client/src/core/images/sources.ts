import { isAddress, readReference } from './library.ts';

/** A name in braces that stands for an icon in a text: `{folder/icon.png, 0.9, 0.1}`. */
const ICON = /\{([^{},]*)(?:,[^{}]*)?\}/g;
const IMAGE_NAME = /\.(?:png|jpe?g|webp|gif|svg|avif)$/i;

/** The images that a text names in braces. */
export function iconsIn(text: string): string[] {
  return [...text.matchAll(ICON)].flatMap(([, name = '']) => {
    const trimmed = name.trim();
    return IMAGE_NAME.test(trimmed) || readReference(trimmed) ? [trimmed] : [];
  });
}

/** The images that a cell may name: all of it, when its column holds images, and icons in braces. */
export function sourcesInCell(text: string, ofImages: boolean): string[] {
  const whole = text.trim();
  const icons = iconsIn(text);
  const one =
    whole !== '' && !isAddress(whole) && (ofImages || readReference(whole) || IMAGE_NAME.test(whole));
  return one && icons.length === 0 ? [whole] : icons;
}

/** Keys of a scene whose text is an image. */
const SOURCE_KEYS = new Set(['source']);

/** The images that a layout's scene (or any part of one) names, each once. */
export function sourcesInScene(scene: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      const text = value.trim();
      if (text !== '' && !isAddress(text) && (SOURCE_KEYS.has(key) || readReference(text))) found.add(text);
      for (const icon of iconsIn(value)) found.add(icon);
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item, key);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) walk(item, name);
    }
  };
  walk(scene, '');
  return [...found];
}

/** New name of a source; undefined leaves it as it is. */
export type Rename = (source: string) => string | undefined;

/** A text with the icons in its braces renamed. */
const renameIcons = (text: string, rename: Rename): string =>
  text.replace(ICON, (whole, name: string) => {
    const trimmed = name.trim();
    const next = iconsIn(whole).length > 0 ? rename(trimmed) : undefined;
    return next === undefined ? whole : whole.replace(trimmed, () => next);
  });

/** A text with its images renamed: the text itself, or the icons in its braces. */
function renameText(text: string, whole: boolean, rename: Rename): string {
  if (!whole) return renameIcons(text, rename);
  const next = rename(text.trim());
  return next === undefined ? text : text.replace(text.trim(), () => next);
}

/** A cell with its images renamed: those that {@link sourcesInCell} finds. */
export function renameInCell(text: string, ofImages: boolean, rename: Rename): string {
  const found = sourcesInCell(text, ofImages);
  if (found.length === 0) return text;
  return renameText(text, iconsIn(text).length === 0, rename);
}

/** A scene (or any part of one) with its images renamed. */
export function renameInScene<T>(scene: T, rename: Rename): T {
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      const text = value.trim();
      const whole = text !== '' && !isAddress(text) && (SOURCE_KEYS.has(key) || readReference(text));
      return renameText(value, Boolean(whole) && iconsIn(value).length === 0, rename);
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, name)]));
  };
  return walk(scene, '') as T;
}
