import type { Card, Component, WithId } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { createLayout } from '../project/project-contents.ts';
import { fitTo, suggestLayout } from './suggest-layout.ts';

/** Gives a component a layout that has a place for each of its columns; answers the layout's id. */
export function startLayout(
  project: Project,
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
  newId: () => string,
): Promise<string> {
  const { id, name, columns, copiesColumn, size } = component;
  return createLayout(fitTo(suggestLayout(name, columns, cards, copiesColumn, newId), size), {
    project,
    component: id,
  });
}
