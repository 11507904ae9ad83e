import { NativeSelect } from '@mantine/core';
import { updateDoc } from '@sdk/firestore';
import { checkSourceLanguage, languageName, USUAL_LANGUAGES } from '../../../core/translation/languages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './languages.module.css';

/** The language in which the cards themselves are written. */
export function SourceLanguage({
  project,
  language,
  known,
  mayEdit,
}: {
  project: Project;
  language: string;
  /** Languages that the cards are translated into. */
  known: readonly string[];
  mayEdit: boolean;
}) {
  const choices = [...new Set<string>([language, ...USUAL_LANGUAGES])]
    .map((tag) => ({ value: tag, label: languageName(tag) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const choose = (next: string): void => {
    try {
      checkSourceLanguage(next, known, 'project');
      updateDoc(project.details, { language: next }).catch(tellFailure);
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <NativeSelect
      className={css.source}
      label="The cards are written in"
      value={language}
      data={choices}
      disabled={!mayEdit}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
