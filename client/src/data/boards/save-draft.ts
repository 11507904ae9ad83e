import { getDocs } from '@sdk/firestore';
import type { Layout } from '../../core/scene/layout.ts';
import { openOwnProject, type Project } from '../project/open-project.ts';
import {
  COVER_COLORS,
  createComponent,
  createLayout,
  createProject,
  deleteComponent,
} from '../project/project-contents.ts';
import { carryPictures, dropUnused } from './carry-pictures.ts';
import { type Draft, deleteDraft } from './drafts.ts';

/** Name in a project of a board that has none: components are told apart by theirs. */
export const NAMELESS = 'New board';

/** Makes a project for a board, with the board's name. */
export async function projectForBoard(name: string): Promise<Project> {
  const details = { name, description: '', tags: [], coverColor: COVER_COLORS[0], cover: 'card' as const };
  return openOwnProject(await createProject(details));
}

/**
 * Puts a board into a project as a component with one row, and the pictures that it shows among the project's images;
 * answers the ids of the component and its layout. The draft and what only it showed leave the browser.
 */
export async function saveBoard(
  project: Project,
  draft: Draft,
): Promise<{ component: string; layout: string }> {
  const { scene, pictures } = await carryPictures(project, draft.scene);
  const saved = await addBoard(project, { ...scene, name: scene.name.trim() || NAMELESS });
  // Should the browser's copies not go, they are there twice: nothing is lost.
  await deleteDraft(draft.id)
    .then(() => dropUnused(pictures))
    .catch(() => undefined);
  return saved;
}

async function addBoard(project: Project, scene: Layout): Promise<{ component: string; layout: string }> {
  const others = await getDocs(project.components);
  const order = others.docs.reduce((most, one) => Math.max(most, Number(one.data()?.order ?? 0)), -1) + 1;
  const key = 'name';
  const component = await createComponent(
    project,
    scene.name,
    order,
    {
      columns: [{ key, name: 'Name', type: 'text' }],
      copiesColumn: undefined,
      idColumn: undefined,
      rows: [{ copies: 1, cells: { [key]: scene.name } }],
    },
    { kind: 'boards', size: scene.size },
  );
  try {
    return { component, layout: await createLayout(scene, { project, component }) };
  } catch (error) {
    // Without its layout the component would be an empty row.
    const cards = await getDocs(project.cards(component));
    await deleteComponent(
      project,
      component,
      cards.docs.map(({ id }) => id),
    ).catch(() => undefined);
    throw error;
  }
}
