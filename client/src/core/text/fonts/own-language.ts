import type { Layout } from '../../scene/layout.ts';
import { hanFormsOf } from './east-asian.ts';

const spoken = new WeakMap<Layout, Map<string, Layout>>();

/**
 * A layout for cards in their own words, whose language chooses the forms of Chinese characters. It is the same object
 * each time, and the layout itself where its language is known or chooses no forms.
 * @param language of the project's own words; empty where nobody said it
 */
export function inOwnLanguage(layout: Layout, language: string): Layout {
  if (layout.language !== undefined || hanFormsOf(language) === undefined) return layout;
  const known = spoken.get(layout) ?? new Map<string, Layout>();
  spoken.set(layout, known);
  const made = known.get(language) ?? { ...layout, language };
  known.set(language, made);
  return made;
}
