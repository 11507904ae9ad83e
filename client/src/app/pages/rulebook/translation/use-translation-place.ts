import { useState } from 'react';
import type { TranslationFinding } from '../../../../core/book/translation/findings.ts';
import type { WantedUnit } from './translation-pane.tsx';
import type { Languages } from './use-languages.ts';

/** The place in a translation, and the ways to others. */
export interface TranslationPlace {
  /** Block of the text that has the cursor; nothing while the text itself is written in. */
  readonly block: string | undefined;
  readonly follow: (block: string) => void;
  /** A text that the pane goes to. */
  readonly wanted: WantedUnit | undefined;
  /** Goes to a block: to its first text in the chosen language, or into the text itself. */
  readonly goTo: (block: string) => void;
  /** Goes to a text of a language. */
  readonly translate: (finding: TranslationFinding) => void;
}

/** Follows the place in the translation that is shown. @param goToText goes to a block of the text itself */
export function useTranslationPlace(
  { chosen, choose, units }: Languages,
  goToText: (block: string) => void,
): TranslationPlace {
  const [block, setBlock] = useState<string>();
  const [wanted, setWanted] = useState<WantedUnit>();
  return {
    block: chosen === undefined ? undefined : block,
    follow: setBlock,
    wanted,
    goTo: (to) => {
      if (chosen === undefined) {
        goToText(to);
        return;
      }
      const found = units.find(({ unit }) => unit.block === to);
      if (found) setWanted({ unit: found.unit.id });
    },
    translate: ({ language, unit }) => {
      choose(language);
      setWanted({ unit });
    },
  };
}
