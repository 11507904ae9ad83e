import {
  type DocumentReference,
  doc,
  getDoc,
  runTransaction,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from '@sdk/firestore';
import { httpsCallable } from '@sdk/functions';
import { type Layout, layoutSchema } from '../../core/scene/layout.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { LayoutSource } from '../asset-copies.ts';
import {
  type Component,
  componentSchema,
  type LayoutChoice,
  type LayoutDocument,
  layoutDocumentSchema,
  MAX_NAME_LENGTH,
  readDocument,
} from '../documents/documents.ts';
import { noteOwnChange } from '../images/noted-changes.ts';
import type { ImportedTable } from '../import/table.ts';
import { commitNew } from '../server/commit.ts';
import { getCallables } from '../server/database.ts';
import { changeBegins } from '../versions/daily.ts';
import type { Placed } from './component-order.ts';
import { type Layouts, newOwnProject, openLibrary, ownershipOf, type Project } from './open-project.ts';
import type { ProjectDetails } from './projects.ts';

/** Colours of new projects' boxes, taken in turn. */
export const COVER_COLORS = [
  '#a8361c',
  '#2f5d62',
  '#6b4a8a',
  '#8a6a1f',
  '#3d6b3a',
  '#7a2f4f',
  '#2f4a7a',
] as const;

/** Makes a project and answers its id. */
export async function createProject(details: ProjectDetails): Promise<string> {
  const project = newOwnProject();
  await setDoc(project.details, {
    ...details,
    ...ownershipOf(project),
    createdAt: serverTimestamp(),
    updatedAt: serverTimestamp(),
  });
  return project.id;
}

/** Deletes a project with all its components and cards; answers how many documents went. */
export async function deleteProject(project: Pick<Project, 'id'>): Promise<number> {
  const call = httpsCallable<{ deckId: string }, { deleted: number }>(getCallables(), 'deleteDeck');
  return (await call({ deckId: project.id })).data.deleted;
}

/** Makes a component with its cards, all in one commit, and answers its id. */
export async function createComponent(
  project: Project,
  name: string,
  order: number,
  table: ImportedTable,
  kind: Pick<Component, 'kind' | 'size'> = { kind: 'cards' },
): Promise<string> {
  const batch = writeBatch(project.db);
  const component = doc(project.components);
  batch.set(component, {
    name,
    kind: kind.kind,
    ...(kind.size && { size: kind.size }),
    layoutId: null,
    columns: table.columns.map(({ key, name, type }) => ({ key, name, type })),
    ...(table.copiesColumn !== undefined && { copiesColumn: table.copiesColumn }),
    ...(table.idColumn !== undefined && { idColumn: table.idColumn }),
    order,
    cardCount: table.rows.length,
  });
  const cards = project.cards(component.id);
  table.rows.forEach((row, i) => {
    batch.set(doc(cards), { order: i, copies: row.copies, cells: row.cells });
  });
  batch.update(project.details, { updatedAt: serverTimestamp() });
  await commitNew(batch, component);
  await noteOwnChange(project.id, (changes) => changes.component(component.id, null));
  return component.id;
}

/** Changes what a component says of itself: its name, what it is of, and the size of layouts started for it. */
export function describeComponent(
  project: Project,
  component: string,
  details: Pick<Component, 'name' | 'kind' | 'size'>,
): Promise<void> {
  return updateDoc(project.component(component), { ...details });
}

/** Puts components in other places, all in one commit. */
export async function placeComponents(project: Project, places: readonly Placed[]): Promise<void> {
  const batch = writeBatch(project.db);
  for (const { id, order } of places) batch.update(project.component(id), { order });
  await batch.commit();
}

/** Deletes a component and the cards that are known of it, in one commit. */
export async function deleteComponent(
  project: Project,
  component: string,
  cards: readonly string[],
): Promise<void> {
  const batch = writeBatch(project.db);
  for (const card of cards) batch.delete(project.card(component, card));
  batch.delete(project.component(component));
  batch.update(project.details, { updatedAt: serverTimestamp() });
  await batch.commit();
}

/**
 * Makes a layout, for a project and a side of its component when they are given (all in one commit); answers its id.
 * Without a project it lies in the user's own library.
 * @param source the layout that it is a copy of: fonts which that one names come along
 */
export async function createLayout(
  scene: Layout,
  forComponent?: { project: Project; component?: string; back?: boolean },
  source?: LayoutSource,
): Promise<string> {
  const place = forComponent?.project ?? openLibrary();
  const { layouts } = place;
  const own = source ? await withFontsIn(place, scene, source) : scene;
  const batch = writeBatch(layouts.firestore);
  const ref = doc(layouts);
  batch.set(ref, {
    name: scene.name,
    version: scene.version,
    updatedAt: serverTimestamp(),
    scene: own,
  });
  const side = forComponent?.back ? 'backLayoutId' : 'layoutId';
  if (forComponent?.component) {
    batch.update(forComponent.project.component(forComponent.component), { [side]: ref.id });
  }
  await commitNew(batch, ref);
  if (forComponent) await noteOwnChange(forComponent.project.id, (changes) => changes.layout(ref.id, null));
  return ref.id;
}

/** A copy of a layout, with fonts that lie in the place where it will lie. */
export async function withFontsIn(place: Layouts, scene: Layout, source: LayoutSource): Promise<Layout> {
  if (!scene.fonts?.length) return scene;
  const { withOwnFonts } = await import('../fonts/own-fonts.ts');
  return withOwnFonts(scene, place, source);
}

/**
 * Makes a layout from another, for a project or of one's own, and answers its id.
 * @param source the other one, where it lies elsewhere
 */
export function copyLayout(scene: Layout, project?: Project, source?: LayoutSource): Promise<string> {
  const copy = { ...scene, name: cutText(`${scene.name} copy`, MAX_NAME_LENGTH) };
  return createLayout(copy, project && { project }, source);
}

/** Gives a component a layout of its project for its cards' fronts or backs. */
export async function connectLayout(
  project: Project,
  component: string,
  layout: string,
  back: boolean,
): Promise<void> {
  await changeSides(project, component, back ? { backLayoutId: layout } : { layoutId: layout });
}

/** Gives cards layouts by what a column says of them; `null` gives all of them the component's own. */
export async function chooseByColumn(
  project: Project,
  component: string,
  by: LayoutChoice | null,
  back: boolean,
): Promise<void> {
  await changeSides(project, component, back ? { backBy: by } : { frontBy: by });
}

/** Gives a component's cards other layouts, which may show other images of them. */
async function changeSides(
  project: Project,
  component: string,
  sides: Partial<Pick<Component, 'layoutId' | 'backLayoutId' | 'frontBy' | 'backBy'>>,
): Promise<void> {
  const ref = project.component(component);
  const read = componentSchema.safeParse((await getDoc(ref)).data());
  await updateDoc(ref, sides);
  if (!read.success) return;
  const { layoutId, backLayoutId, frontBy, backBy } = read.data;
  await noteOwnChange(project.id, (changes) =>
    changes.component(component, { layoutId, backLayoutId, frontBy, backBy }),
  );
}

/**
 * Writes a layout as `make` wants it, given what is stored. When somebody else writes meanwhile it is
 * asked again, with theirs.
 * @param project that the layout is of; none for one of the user's library
 * @throws Error when the layout has been deleted
 */
export async function commitLayout(
  ref: DocumentReference,
  make: (stored: LayoutDocument) => Layout,
  project: Project | undefined,
): Promise<{ scene: Layout; revision: number }> {
  if (project) changeBegins(project.id);
  let before: unknown;
  const committed = await runTransaction(ref.firestore, async (transaction) => {
    const snapshot = await transaction.get(ref);
    if (!snapshot.exists()) throw new Error('The layout has been deleted.');
    const stored = readDocument(layoutDocumentSchema, ref.path, snapshot.data());
    const scene = make(stored);
    before = stored.scene;
    // A layout that could not be read back never replaces a valid one.
    const fault = layoutSchema.safeParse(scene).error?.issues[0];
    if (fault)
      throw new Error(`The layout cannot be saved: ${fault.path.join('.')}: ${fault.message}. Undo it.`);
    const revision = stored.revision + 1;
    transaction.update(ref, {
      name: scene.name,
      version: scene.version,
      updatedAt: serverTimestamp(),
      revision,
      scene,
    });
    return { scene, revision };
  });
  if (project) await noteOwnChange(project.id, (changes) => changes.layout(ref.id, before));
  const { scene } = committed;
  // Its fonts lie with it from now on, and those that it is not set in any more go. Should this fail, it is done after the next change.
  if (scene.fonts?.length) {
    void import('../fonts/own-fonts.ts')
      .then(({ settleFonts }) => settleFonts(ref, scene, project ?? openLibrary()))
      .catch((error: unknown) => console.warn('The fonts of a layout could not be settled.', error));
  }
  return committed;
}
