import { inOwnLanguage } from '../../core/text/fonts/own-language.ts';
import type { LayoutDocument, WithId } from '../documents/documents.ts';

/**
 * A project's layouts for painting its cards in their own words. Only for painting: what is stored has no language.
 * @param language of the project's own words; empty where nobody said it
 */
export function ownLayouts(
  layouts: readonly WithId<LayoutDocument>[],
  language: string,
): readonly WithId<LayoutDocument>[] {
  return layouts.map((one) => {
    const scene = inOwnLanguage(one.scene, language);
    return scene === one.scene ? one : { ...one, scene };
  });
}
