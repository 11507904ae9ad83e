import type { LanguageDifference } from '../../../../core/versions/languages.ts';
import css from '../comparison.module.css';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { Words } from './words.tsx';

const KINDS: Readonly<Record<LanguageDifference['change'], string>> = {
  added: 'New language of the cards',
  removed: 'Language of the cards that is gone',
  changed: 'Translations that changed',
};

/** Most texts shown. */
const MAX_TEXTS = 200;

/** The translations of one language that differ, each below the text that it is of. */
export function LanguageDetail({ language }: { language: LanguageDifference }) {
  const { name, change, paths, texts } = language;
  return (
    <DetailFrame title={name} kind={KINDS[change]} restore={<RestorePaths paths={paths} of={name} />}>
      {texts.length === 0 && <p className={css.hint}>No text is translated yet.</p>}
      {texts.slice(0, MAX_TEXTS).map(({ id, source, before, after }) => (
        <div key={id}>
          <p className={css.hint}>{source}</p>
          <p className={css.words} lang={language.language}>
            <Words before={before} after={after} />
          </p>
        </div>
      ))}
      {texts.length > MAX_TEXTS && <p className={css.hint}>And {texts.length - MAX_TEXTS} more.</p>}
    </DetailFrame>
  );
}
