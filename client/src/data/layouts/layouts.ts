import {
  type DocumentReference,
  doc,
  getDocs,
  limit,
  orderBy,
  query,
  serverTimestamp,
  updateDoc,
  writeBatch,
} from '@sdk/firestore';
import type { Layout } from '../../core/scene/layout.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { LayoutSource } from '../asset-copies.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  type Follows,
  type LayoutDocument,
  MAX_NAME_LENGTH,
  readDocument,
  usedLayouts,
  type WithId,
} from '../documents/documents.ts';
import { noteOwnChange } from '../images/noted-changes.ts';
import { type Layouts, openLibrary, type Project } from '../project/open-project.ts';
import { withFontsIn } from '../project/project-contents.ts';
import { commitNew } from '../server/commit.ts';
import { sidesOf } from './card-layout.ts';
import { MAX_VERSIONS, versionsOf } from './layout-versions.ts';

/** Says what a layout is found by. */
export function tagLayout(layout: DocumentReference, tags: readonly string[]): Promise<void> {
  return updateDoc(layout, { tags: [...tags] });
}

/** Lets everybody who is signed in and has its link look at a layout and its images, or nobody any more. */
export function shareByLink(layout: DocumentReference, shared: boolean): Promise<void> {
  return updateDoc(layout, { shared });
}

/** Keeps a layout as it is now, under a name or none. */
export async function keepVersion(layout: DocumentReference, scene: Layout, name = ''): Promise<void> {
  const versions = await getDocs(query(versionsOf(layout), orderBy('at', 'desc')));
  const batch = writeBatch(layout.firestore);
  batch.set(doc(versionsOf(layout)), {
    name: cutText(name.trim(), MAX_NAME_LENGTH),
    at: serverTimestamp(),
    scene,
  });
  const unnamed = versions.docs.filter((version) => !version.data()?.name);
  const excess = Math.max(0, versions.docs.length + 1 - MAX_VERSIONS);
  for (const version of excess > 0 ? unnamed.slice(-excess) : []) batch.delete(version.ref);
  await batch.commit();
}

/** Gives a kept version another name. */
export function nameVersion(layout: DocumentReference, version: string, name: string): Promise<void> {
  return updateDoc(doc(versionsOf(layout), version), { name: cutText(name.trim(), MAX_NAME_LENGTH) });
}

/** Deletes a layout and its versions. Components that used it show their cards without one. */
export async function deleteLayout(layout: DocumentReference): Promise<void> {
  const versions = await getDocs(versionsOf(layout));
  const batch = writeBatch(layout.firestore);
  for (const version of versions.docs) batch.delete(version.ref);
  batch.delete(layout);
  await batch.commit();
}

/** Cards looked through for one that shows a layout, where a column says which cards do. */
const MAX_LOOKED_THROUGH = 500;

/** A component whose cards a layout shows. */
export interface LayoutUser {
  readonly component: WithId<Component>;
  /** The layout is on the cards' backs. */
  readonly back: boolean;
  /** Of its first card that shows the layout. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The components of a project that use one of its layouts, with a card to show. */
export async function layoutUsers(project: Project, layout: string): Promise<LayoutUser[]> {
  const components = await getDocs(project.components);
  const users = components.docs
    .map((one) => ({ id: one.id, ...readDocument(componentSchema, one.ref.path, one.data()) }))
    .filter((component) => usedLayouts(component).includes(layout));
  return Promise.all(
    users.map(async (component): Promise<LayoutUser> => {
      const fronts = [component.layoutId, ...Object.values(component.frontBy?.layouts ?? {})];
      const back = !fronts.includes(layout);
      const some = component.frontBy || component.backBy ? MAX_LOOKED_THROUGH : 1;
      const read = await getDocs(query(project.cards(component.id), orderBy('order'), limit(some)));
      const cards = read.docs.map((one) => readDocument(cardSchema, one.ref.path, one.data()));
      const shown = cards.find((card) => sidesOf(component, card)[back ? 'back' : 'front'] === layout);
      const { cells = {} } = shown ?? cards[0] ?? {};
      return { component, back, cells };
    }),
  );
}

/** Makes a layout beside another, which starts like it and follows it: its changes can be taken over later. */
export function createFollower(source: Layouts, { id, scene }: WithId<LayoutDocument>): Promise<string> {
  const name = cutText(`${scene.name}, a variant`, MAX_NAME_LENGTH);
  return setFollower(source, { ...scene, name }, { layout: id, scene }, { ...source.place, layout: id });
}

/**
 * Makes a copy of a layout of the user's own library for a project, and answers its id. The copy follows the one in the
 * library: its owner is shown later changes of that one, and may take them over.
 */
export async function addToProject(project: Project, { id, scene }: WithId<LayoutDocument>): Promise<string> {
  const { owner } = openLibrary();
  const follows = { layout: id, library: owner, scene };
  const made = await setFollower(project, scene, follows, { owner, layout: id });
  await noteOwnChange(project.id, (changes) => changes.layout(made, null));
  return made;
}

async function setFollower(
  place: Layouts,
  made: Layout,
  follows: Follows,
  source: LayoutSource,
): Promise<string> {
  const { layouts } = place;
  const scene = await withFontsIn(place, made, source);
  const batch = writeBatch(layouts.firestore);
  const ref = doc(layouts);
  const { name, version } = scene;
  batch.set(ref, { name, version, updatedAt: serverTimestamp(), scene, follows });
  await commitNew(batch, ref);
  return ref.id;
}

/** Remembers which changes of the layout it follows are in a layout; `null` follows none any more. */
export function setFollowed(layout: DocumentReference, follows: LayoutDocument['follows']): Promise<void> {
  return updateDoc(layout, { follows });
}
