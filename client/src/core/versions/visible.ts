import type { Difference } from './difference.ts';
import type { FileDifference } from './files.ts';
import type { LayoutDifference } from './layouts.ts';

const saysOf = ({ change, content, fields }: FileDifference): boolean =>
  change !== 'changed' || content || fields.length > 0;

/** A layout that cannot be read may differ in anything. */
const differs = ({ change, before, after, zones, fields }: LayoutDifference): boolean =>
  change !== 'changed' || !before || !after || zones.length + fields.length > 0;

/**
 * A difference without documents that differ in nothing that anybody sees: counts, former names, or the steps by which a
 * text came about.
 * @param sameTexts rulebooks whose text says the same, though its steps are others
 */
export function visible(difference: Difference, sameTexts: ReadonlySet<string> = new Set()): Difference {
  const rulebooks = difference.rulebooks.map((one) => ({ ...one, text: one.text && !sameTexts.has(one.id) }));
  const { settings } = difference;
  return {
    ...difference,
    components: difference.components.filter(({ change, cards }) => change !== 'same' || cards.length > 0),
    layouts: difference.layouts.filter(differs),
    rulebooks: rulebooks.filter(
      ({ change, fields, text, languages }) =>
        (change !== 'same' && (change !== 'changed' || fields.length > 0)) || text || languages.length > 0,
    ),
    images: difference.images.filter(saysOf),
    fonts: difference.fonts.filter(saysOf),
    settings: settings && settings.fields.length > 0 ? settings : undefined,
  };
}
