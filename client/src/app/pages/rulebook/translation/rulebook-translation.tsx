import { type ComponentProps, useMemo } from 'react';
import { departures } from '../../../../core/translation/terms.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { useProjectTerms } from '../../../../data/translations/use-project-terms.ts';
import { TranslationPane } from '../../../translation/translation-pane.tsx';

/** The texts of a rulebook in a language, held against the terms and the names of cards of its project. */
export function RulebookTranslation({
  project,
  ...pane
}: Omit<ComponentProps<typeof TranslationPane>, 'project' | 'departures'> & { project: Project }) {
  const { terms, names } = useProjectTerms(project, pane.head.to);
  const found = useMemo(() => departures(pane.units, terms, names), [pane.units, terms, names]);
  return <TranslationPane {...pane} project={project.id} departures={found} />;
}
