import { NativeSelect } from '@mantine/core';
import { useStore } from 'zustand';
import { languageName } from '../../../../../core/translation/languages.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import css from './languages.module.css';

/** Chooses the language that the layout is shown and changed in; nothing where the cards have one alone. */
export function LanguageSwitch({ model, tags }: { model: EditorModel; tags: readonly string[] }) {
  const language = useStore(model.store, (state) => state.language);
  if (tags.length === 0) return null;
  return (
    <div className={css.switch} data-own={language !== null || undefined}>
      <NativeSelect
        size="xs"
        label="Language of the layout"
        value={language ?? ''}
        data={[
          { value: '', label: 'All languages' },
          ...tags.map((tag) => ({ value: tag, label: languageName(tag) })),
        ]}
        onChange={(event) => model.showLanguage(event.currentTarget.value || null)}
      />
    </div>
  );
}
