import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { LayoutDocument, WithId } from '../../../../data/documents/documents.ts';
import { ownLayouts } from '../../../../data/layouts/own-layouts.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { useComponents, useLayouts } from '../../../../data/project/queries.ts';
import type { BookPart } from '../../../../data/rulebooks/card-names.ts';
import { OwnLanguageContext } from '../../../painting/own-language.ts';
import { CardsLoader, type CardsState } from '../../print/project-parts.tsx';

/** The project's components, cards and layouts, as far as they are loaded; all of them, or none. */
export interface ProjectSource {
  readonly parts: readonly BookPart[] | undefined;
  readonly layouts: readonly WithId<LayoutDocument>[] | undefined;
  readonly error: Error | undefined;
}

/** Follows what a rulebook takes from its project. `loaders` has to be rendered. */
export function useProjectSource(project: Project): {
  readonly source: ProjectSource;
  readonly loaders: ReactNode;
} {
  const components = useComponents(project);
  const list = components.data?.items;
  const layouts = useLayouts(project);
  const [cards, setCards] = useState<ReadonlyMap<string, CardsState>>(new Map());
  const onCards = useCallback(
    (component: string, state: CardsState) => setCards((known) => new Map(known).set(component, state)),
    [],
  );
  const language = useContext(OwnLanguageContext);
  const listed = layouts.data?.items;
  const found = useMemo(() => listed && ownLayouts(listed, language), [listed, language]);
  const source = useMemo<ProjectSource>(() => {
    const parts = list?.flatMap((component): BookPart[] => {
      const state = cards.get(component.id);
      return state?.cards ? [{ component, cards: state.cards }] : [];
    });
    const failed = [...cards.values()].find(({ error }) => error)?.error;
    return {
      parts: parts && parts.length === list?.length ? parts : undefined,
      layouts: found,
      error: components.error ?? layouts.error ?? failed ?? undefined,
    };
  }, [list, cards, found, components.error, layouts.error]);
  const loaders = list?.map((component) => (
    <CardsLoader key={component.id} project={project} component={component} onCards={onCards} />
  ));
  return { source, loaders };
}
