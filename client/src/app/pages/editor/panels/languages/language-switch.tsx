import { useStore } from 'zustand';
import { languageName } from '../../../../../core/translation/languages.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import css from './languages.module.css';

/** Chooses the language that the layout is shown and changed in; nothing where the cards have one alone. */
export function LanguageSwitch({ model, tags }: { model: EditorModel; tags: readonly string[] }) {
  const language = useStore(model.store, (state) => state.language);
  if (tags.length === 0) return null;
  return (
    <select
      className={css.switch}
      aria-label="Language of the layout"
      title={language === null ? 'All languages' : languageName(language)}
      value={language ?? ''}
      data-own={language !== null || undefined}
      onChange={(event) => model.showLanguage(event.currentTarget.value || null)}
    >
      <option value="">All languages</option>
      {tags.map((tag) => (
        <option key={tag} value={tag}>
          {languageName(tag)}
        </option>
      ))}
    </select>
  );
}
