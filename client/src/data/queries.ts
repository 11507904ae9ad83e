import { type DocumentReference, orderBy, query } from '@sdk/firestore';
import { useMemo } from 'react';
import {
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  layoutVersionSchema,
  type ProjectDocument,
  projectSchema,
  usedLayouts,
  type WithId,
} from './documents.ts';
import { versionsOf } from './layouts.ts';
import { type Live, type LiveList, useLiveDocument, useLiveDocuments, useLiveList } from './live.ts';
import type { ProjectName } from './project/addresses.ts';
import { joinedProjects, openLibrary, openProject, type Project } from './project/open-project.ts';
import { useUser } from './session.ts';

/** A project as lists show it, with its name for `openProject`. */
export type ListedProject = WithId<ProjectDocument>;

/** Those of the projects that the user has joined or made which `wanted` takes, last changed first. */
function useListed(
  wanted: (project: ListedProject, uid: string) => boolean,
): Live<LiveList<ProjectDocument>> {
  const { uid } = useUser();
  const { data, error } = useLiveList(['projects of', uid], joinedProjects(), projectSchema);
  return useMemo(() => {
    const items = data?.items.filter((project) => wanted(project, uid));
    items?.sort((a, b) => changedAt(b) - changedAt(a));
    return { data: data && items && { ...data, items }, error };
  }, [data, error, uid, wanted]);
}

/** Time of the last change; what the server has not dated yet is the newest. */
const changedAt = ({ updatedAt }: ListedProject) => updatedAt || Number.MAX_SAFE_INTEGER;

const isOwn = ({ owner }: ListedProject, uid: string) => owner === uid;
const isOwnAndKept = (project: ListedProject, uid: string) => isOwn(project, uid) && project.trashedAt === 0;
const isOfOthers = ({ owner }: ListedProject, uid: string) => owner !== uid;

/** All of the user's own projects, those in the trash too, last changed first. */
export const useAllProjects = () => useListed(isOwn);

/** The user's own projects but those in the trash, last changed first. */
export const useProjects = () => useListed(isOwnAndKept);

/** Projects of others that the user is a member of. */
export const useSharedProjects = () => useListed(isOfOthers);

/** A project's components in their order. Without a project nothing is asked. */
export const useComponents = (project: Project | undefined) =>
  useLiveList(
    project && [project.components.path],
    project && query(project.components, orderBy('order')),
    componentSchema,
  );

/** A project opened once for as long as its name stays the same. */
export function useOpened(name: ProjectName | undefined): Project | undefined {
  const { id, owner } = name ?? {};
  return useMemo(() => (id && owner ? openProject({ id, owner }) : undefined), [id, owner]);
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
  project: Project,
  components: readonly Component[] | undefined,
): Live<LiveList<LayoutDocument>> {
  const own = useLayouts(project.mine);
  const used = useLiveDocuments(
    project.mine ? undefined : components && layoutsInUse(components).map((id) => project.layout(id)),
    layoutDocumentSchema,
  );
  return project.mine ? own : used;
}

/** A component's cards in their order. Without a project nothing is asked. */
export function useCards(project: Project | undefined, component: string) {
  const cards = project?.cards(component);
  return useLiveList(cards && [cards.path], cards && query(cards, orderBy('order')), cardSchema);
}

/** The user's layouts, last changed first. */
export const useLayouts = (wanted = true) =>
  useLiveList(
    wanted ? [openLibrary().layouts.path] : undefined,
    query(openLibrary().layouts, orderBy('updatedAt', 'desc')),
    layoutDocumentSchema,
  );

/** One layout. */
export const useLayout = (layout: DocumentReference) => useLiveDocument(layout, layoutDocumentSchema);

/** A layout as it was, the newest first. */
export const useLayoutVersions = (layout: DocumentReference) =>
  useLiveList(
    [versionsOf(layout).path],
    query(versionsOf(layout), orderBy('at', 'desc')),
    layoutVersionSchema,
  );

/** A layout somebody else has shared. */
export const useSharedLayout = (uid: string, layout: string) =>
  useLiveDocument(openLibrary(uid).layout(layout), layoutDocumentSchema);
