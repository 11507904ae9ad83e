import { Languages } from 'lucide-react';
import { useMemo } from 'react';
import { type Edition, editionIn } from '../../../core/book/edition/edition.ts';
import { usePageSearch } from '../../use-page-search.ts';
import css from './read.module.css';

/** Part of the address that names the language. */
const PARAMETER = 'lang';

/** An edition in the language that its address names: a link to it leads others to the same. */
export function useEditionLanguage(whole: Edition) {
  const [parameters, setParameter] = usePageSearch();
  const wanted = parameters.get(PARAMETER);
  const edition = useMemo(() => editionIn(whole, wanted), [whole, wanted]);
  const source = whole.book.language;
  const choose = (language: string): void => setParameter(PARAMETER, language === source ? '' : language);
  const choices = [source, ...(whole.translations ?? []).map(({ language }) => language)];
  return { edition, choices, language: edition.book.language, choose };
}

/** The name of a language in that language itself. */
function ownName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}

/** Chooses the language of a published rulebook. */
export function LanguageChoice({
  choices,
  language,
  onChoose,
}: {
  choices: readonly string[];
  language: string;
  onChoose: (language: string) => void;
}) {
  return (
    <label className={css.language}>
      <Languages size={16} aria-hidden />
      <select
        aria-label="Language"
        value={language}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {choices.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {ownName(tag)}
          </option>
        ))}
      </select>
    </label>
  );
}
