import { Button } from '@mantine/core';
import { FlipHorizontal2, Languages } from 'lucide-react';
import { useStore } from 'zustand';
import { runsRightToLeft } from '../../../../../core/text/direction.ts';
import { languageName } from '../../../../../core/translation/languages.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { mirrorZones } from '../../state/edits/mirror-zones.ts';
import css from './languages.module.css';

/** Says which changes are those of the language that is shown, and leads back to all languages. */
export function LanguageNote({ model }: { model: EditorModel }) {
  const language = useStore(model.store, (state) => state.language);
  if (language === null) return null;
  const name = languageName(language);
  return (
    <div className={css.languageNote} role="status">
      <p>
        <Languages size={15} aria-hidden />
        <span>
          Place, size and type that you change now are those of <strong>{name}</strong> alone. Everything else
          changes in all languages.
        </span>
      </p>
      <div className={css.actions}>
        {runsRightToLeft(language) && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<FlipHorizontal2 size={13} aria-hidden />}
            onClick={() => mirrorZones(model)}
          >
            Mirror the zones
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => model.showLanguage(null)}>
          Back to all languages
        </Button>
      </div>
    </div>
  );
}
