import type { Rulebook } from '../book/document/schema.ts';
import { fontLayout } from '../book/paging/fonts.ts';
import { EMPTY_PROJECT, type FlowAssets, type Project } from '../book/typesetting/context.ts';
import { HOUSE_STYLES } from '../book/typesetting/house-style.ts';
import { type ImageSizes, NO_IMAGES } from '../layout/assets.ts';
import { FontRegistry } from '../text/fonts/font-registry.ts';
import { FontLoader } from '../text/fonts/required-faces.ts';
import { readTestFace } from './fonts.ts';

/** Fonts for a rulebook in every house style. */
export async function rulebookAssets(
  doc: Rulebook,
  project: Project = EMPTY_PROJECT,
  images: ImageSizes = NO_IMAGES,
): Promise<FlowAssets> {
  const fonts = new FontRegistry();
  const loader = new FontLoader(fonts, readTestFace);
  for (const house of HOUSE_STYLES) await loader.load(fontLayout(doc, house, project), []);
  return { fonts, images, project };
}
