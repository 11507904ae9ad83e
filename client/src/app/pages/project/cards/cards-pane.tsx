import { type ComponentProps, useState } from 'react';
import type { Component, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { useProjectLanguages } from '../../../../data/translations/use-card-languages.ts';
import css from '../project.module.css';
import toolbar from '../table/table-toolbar.module.css';
import type { TableWords } from '../table/words/table-words.ts';
import { LanguageMenu, useTableLanguage } from '../table/words/use-table-language.tsx';
import { WordsLoader } from '../table/words/words-loader.tsx';
import { CardGrid } from './card-grid.tsx';

/** The painted cards of a component, in the language that its table shows. */
export function CardsPane({
  project,
  component,
  ...grid
}: Omit<ComponentProps<typeof CardGrid>, 'words' | 'columns'> & {
  project: Project;
  component: WithId<Component>;
}) {
  const { languages } = useProjectLanguages(project);
  const [language, choose] = useTableLanguage(project.id, languages);
  const [words, setWords] = useState<TableWords>();
  return (
    <>
      {languages && languages.length > 0 && (
        <div className={css.views}>
          <LanguageMenu
            className={toolbar.wide}
            project={project.id}
            languages={languages}
            shown={language}
            choose={choose}
            alone
          />
        </div>
      )}
      {language && (
        <WordsLoader
          key={language.tag}
          project={project}
          component={component}
          language={language.tag}
          instead
          onWords={setWords}
        />
      )}
      <CardGrid {...grid} columns={component.columns} words={words} />
    </>
  );
}
