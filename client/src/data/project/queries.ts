import { type DocumentReference, limit, orderBy, query } from '@sdk/firestore';
import { useMemo } from 'react';
import { useUser } from '../account/session.ts';
import { cardsQuery, TooManyCards } from '../cards/cards.ts';
import {
  type Card,
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  layoutVersionSchema,
  MAX_CARDS,
  type ProjectDocument,
  projectSchema,
  usedLayouts,
  type WithId,
} from '../documents/documents.ts';
import { projectFontSchema } from '../fonts/project-font.ts';
import { MAX_VERSIONS, versionsOf } from '../layouts/layout-versions.ts';
import { type Live, type LiveList, useLiveDocument, useLiveList, useLiveLists } from '../server/live.ts';
import type { ProjectName } from './addresses.ts';
import type { LayoutName } from './layout-address.ts';
import { roleOf, sees } from './members.ts';
import { joinedProjects, type Layouts, openLibrary, openProject, type Project } from './open-project.ts';

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
const changedAt = ({ updatedAt }: { readonly updatedAt: number }) => updatedAt || Number.MAX_SAFE_INTEGER;

const isOwn = ({ owner }: ListedProject, uid: string) => owner === uid;
const isOwnAndKept = (project: ListedProject, uid: string) => isOwn(project, uid) && project.trashedAt === 0;
const isOfOthers = ({ owner }: ListedProject, uid: string) => owner !== uid;

/** All of the user's own projects, those in the trash too, last changed first. */
export const useAllProjects = () => useListed(isOwn);

/** The user's own projects but those in the trash, last changed first. */
export const useProjects = () => useListed(isOwnAndKept);

const anyProject = () => true;

/** All projects that the user is a member of, last changed first. */
export const useJoinedProjects = () => useListed(anyProject);

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

/** A component's cards in their order; an error where there are too many. Without a project nothing is asked. */
export function useCards(project: Project | undefined, component: string): Live<LiveList<Card>> {
  const key = project && [project.cards(component).path];
  const { data, error } = useLiveList(key, project && cardsQuery(project, component), cardSchema);
  return useMemo(() => {
    const tooMany = data !== undefined && data.items.length + data.unreadable.length > MAX_CARDS;
    return tooMany ? { data: undefined, error: new TooManyCards() } : { data, error };
  }, [data, error]);
}

/** The layouts of a project or a library, last changed first. Without a source nothing is asked. */
export function useLayouts(source: Layouts | undefined): Live<LiveList<LayoutDocument>> {
  const layouts = source?.layouts;
  const { data, error } = useLiveList(layouts && [layouts.path], layouts, layoutDocumentSchema);
  return useMemo(() => {
    const items = data && [...data.items].sort((a, b) => changedAt(b) - changedAt(a));
    return { data: data && items && { ...data, items }, error };
  }, [data, error]);
}

/** The layouts of several projects and libraries, each last changed first, in the order of `sources`. */
export function useManyLayouts(sources: readonly Layouts[]): readonly Live<LiveList<LayoutDocument>>[] {
  const lists = useLiveLists(
    sources.map(({ layouts }) => layouts),
    layoutDocumentSchema,
  );
  return lists.map(({ data, error }) => ({
    data: data && { ...data, items: [...data.items].sort((a, b) => changedAt(b) - changedAt(a)) },
    error,
  }));
}

/** The fonts of a project. Without one nothing is asked. */
export const useProjectFonts = (project: Project | undefined) =>
  useLiveList(project && [project.fonts.path], project?.fonts, projectFontSchema);

/** All layouts that the user sees: their library's and their projects'; `undefined` until all are known. */
export function useReadableLayouts(): readonly WithId<LayoutDocument>[] | undefined {
  const { uid } = useUser();
  const { data: projects } = useJoinedProjects();
  const sources = useMemo(
    () =>
      projects
        ? [
            openLibrary(uid),
            ...projects.items.filter((one) => sees(roleOf(one, uid))).map((one) => openProject(one)),
          ]
        : [],
    [projects, uid],
  );
  const lists = useManyLayouts(sources);
  if (!projects || lists.some(({ data }) => !data)) return undefined;
  return lists.flatMap(({ data }) => data?.items ?? []);
}

/** The layouts of the user's own library, last changed first. */
export function useLibraryLayouts(): Live<LiveList<LayoutDocument>> {
  const { uid } = useUser();
  return useLayouts(useMemo(() => openLibrary(uid), [uid]));
}

/** One layout. */
export const useLayout = (layout: DocumentReference) => useLiveDocument(layout, layoutDocumentSchema);

/** A layout as it was, the newest first; each is a whole layout, so that `most` are read. */
export const useLayoutVersions = (layout: DocumentReference, most = MAX_VERSIONS) =>
  useLiveList(
    [versionsOf(layout).path, most],
    query(versionsOf(layout), orderBy('at', 'desc'), limit(most)),
    layoutVersionSchema,
  );

/** A layout that somebody shares by its link: a project's, or one of their library. */
export const useSharedDocument = (sharingUser: string, { project, id }: LayoutName) =>
  useLiveDocument(
    project === undefined
      ? openLibrary(sharingUser).layout(id)
      : openProject({ id: project, owner: sharingUser }).layout(id),
    layoutDocumentSchema,
  );
