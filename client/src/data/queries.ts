import { collectionGroup, orderBy, query, where } from '@sdk/firestore';
import { useMemo } from 'react';
import { getDb } from './database.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  layoutVersionSchema,
  type Project,
  projectSchema,
  usedLayouts,
  type WithId,
} from './documents.ts';
import { type Live, type LiveList, useLiveDocument, useLiveDocuments, useLiveList } from './live.ts';
import { paths } from './paths.ts';
import { ownerOfProject, rememberLayoutsOf, rememberOwner } from './project-owner.ts';
import { useUser } from './session.ts';

/** All of the user's own projects, those in the trash too, last changed first. */
export const useAllProjects = () =>
  useLiveList([paths.projects().path], query(paths.projects(), orderBy('updatedAt', 'desc')), projectSchema);

/** The user's own projects but those in the trash, last changed first. */
export function useProjects(): Live<LiveList<Project>> {
  const { data, error } = useAllProjects();
  return useMemo(
    () => ({
      data: data && { ...data, items: data.items.filter(({ trashedAt }) => trashedAt === 0) },
      error,
    }),
    [data, error],
  );
}

/** A project of somebody else's. */
export type SharedProject = WithId<Project> & { readonly owner: string };

/** Projects of others that the user is a member of. */
export function useSharedProjects(): Live<LiveList<Project & { readonly owner: string }>> {
  const { uid } = useUser();
  return useLiveList(
    ['shared decks', uid],
    query(collectionGroup(getDb(), 'decks'), where('memberIds', 'array-contains', uid)),
    projectSchema,
    (path) => {
      const [, owner = '', , project = ''] = path.split('/');
      rememberOwner(project, owner);
      return { owner };
    },
  );
}

/** One project. */
export const useProject = (project: string) => useLiveDocument(paths.project(project), projectSchema);

/** A project's components in their order. */
export function useComponents(project: string): Live<LiveList<Component>> {
  const live = useLiveList(
    [paths.components(project).path],
    query(paths.components(project), orderBy('order')),
    componentSchema,
  );
  rememberLayoutsOf(project, layoutsInUse(live.data?.items ?? []));
  return live;
}

/** The layouts that components of a project use. */
export const layoutsInUse = (components: readonly Component[]): string[] => [
  ...new Set(components.flatMap(usedLayouts)),
];

/**
 * The layouts a project can use: all of one's own for one's own project; for somebody else's those that it
 * uses already, since nobody searches in the layouts of others.
 */
export function useProjectLayouts(
  project: string,
  components: readonly Component[] | undefined,
): Live<LiveList<LayoutDocument>> {
  const foreign = ownerOfProject(project) !== undefined;
  const own = useLayouts(!foreign);
  const used = useLiveDocuments(
    foreign && components ? layoutsInUse(components).map(paths.layout) : undefined,
    layoutDocumentSchema,
  );
  return foreign ? used : own;
}

/** A component's cards in their order. */
export const useCards = (project: string, component: string) =>
  useLiveList(
    [paths.cards(project, component).path],
    query(paths.cards(project, component), orderBy('order')),
    cardSchema,
  );

/** The user's layouts, last changed first. */
export const useLayouts = (wanted = true) =>
  useLiveList(
    wanted ? [paths.layouts().path] : undefined,
    query(paths.layouts(), orderBy('updatedAt', 'desc')),
    layoutDocumentSchema,
  );

/** One layout. */
export const useLayout = (layout: string) => useLiveDocument(paths.layout(layout), layoutDocumentSchema);

/** A layout as it was, the newest first. */
export const useLayoutVersions = (layout: string) =>
  useLiveList(
    [paths.layoutVersions(layout).path],
    query(paths.layoutVersions(layout), orderBy('at', 'desc')),
    layoutVersionSchema,
  );

/** A layout somebody else has shared. */
export const useSharedLayout = (uid: string, layout: string) =>
  useLiveDocument(paths.sharedLayout(uid, layout), layoutDocumentSchema);
