import { getDoc, getDocs, limit, orderBy, query, where } from '@sdk/firestore';
import {
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  type ProjectDocument,
  readDocument,
  type WithId,
} from '../documents/documents.ts';
import { type CoverCard, imagesForCovers, namedAsInProject } from '../images/cover-images.ts';
import { openProject } from '../project/open-project.ts';

/** A component of boards or mats, and how its first one looks. */
export interface ProjectBoard {
  readonly project: WithId<ProjectDocument>;
  readonly component: WithId<Component>;
  /** Missing while the component has none. */
  readonly layout: WithId<LayoutDocument> | undefined;
  /** The first one as it is to be painted outside of its project; missing without a layout. */
  readonly look: CoverCard | undefined;
}

/** Projects that are looked through, last changed first. */
const MAX_PROJECTS = 60;

/** The boards of projects. What cannot be read is left out: the project's own page offers to mend it. */
export async function boardsOf(projects: readonly WithId<ProjectDocument>[]): Promise<ProjectBoard[]> {
  const found = await Promise.all(
    projects.slice(0, MAX_PROJECTS).map((project) => boardsIn(project).catch(() => [])),
  );
  return found.flat();
}

async function boardsIn(details: WithId<ProjectDocument>): Promise<ProjectBoard[]> {
  const project = openProject(details);
  const components = await getDocs(query(project.components, where('kind', 'in', ['boards', 'mats'])));
  if (components.empty) return [];
  const images = await imagesForCovers(project);
  return Promise.all(
    components.docs.map(async (one): Promise<ProjectBoard> => {
      const component = { id: one.id, ...readDocument(componentSchema, one.ref.path, one.data()) };
      const [found, cards] = await Promise.all([
        component.layoutId === null ? undefined : getDoc(project.layout(component.layoutId)),
        getDocs(query(project.cards(one.id), orderBy('order'), limit(1))),
      ]);
      const [card] = cards.docs.map((row) => readDocument(cardSchema, row.ref.path, row.data()));
      const layout = found?.exists()
        ? { id: found.id, ...readDocument(layoutDocumentSchema, found.ref.path, found.data()) }
        : undefined;
      const look =
        layout && namedAsInProject(project.id, layout.scene, card?.cells ?? {}, component.columns, images);
      return { project: details, component, layout, look };
    }),
  );
}
