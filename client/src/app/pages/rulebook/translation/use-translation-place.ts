import { useState } from 'react';
import type { TranslationFinding } from '../../../../core/book/translation/findings.ts';
import type { WantedUnit } from '../../../translation/translation-pane.tsx';
import type { Languages } from './use-languages.ts';

/** Ways to texts of translations. */
export interface TranslationPlace {
  /** A text that the pane goes to. */
  readonly wanted: WantedUnit | undefined;
  /** Goes to a block: to its first text in the chosen language, or into the text itself. */
  readonly goTo: (block: string) => void;
  /** Goes to a text of a language. */
  readonly translate: (finding: TranslationFinding) => void;
}

/** Goes to places in the text, or in the translation that is shown. @param goToText goes to a block of the text itself */
export function useTranslationPlace(
  { chosen, choose, units }: Pick<Languages, 'chosen' | 'choose' | 'units'>,
  goToText: (block: string) => void,
): TranslationPlace {
  const [wanted, setWanted] = useState<WantedUnit & { readonly language: string }>();
  // Whoever comes back to a language has not asked for the place again.
  if (wanted && wanted.language !== chosen) setWanted(undefined);
  return {
    wanted: wanted?.language === chosen ? wanted : undefined,
    goTo: (to) => {
      if (chosen === undefined) {
        goToText(to);
        return;
      }
      const found = units.find(({ unit }) => unit.place === to);
      if (found) setWanted({ language: chosen, unit: found.unit.id });
    },
    translate: ({ language, unit }) => {
      choose(language);
      setWanted({ language, unit });
    },
  };
}
