import { doc, getDocs, limit, orderBy, query, serverTimestamp, updateDoc, writeBatch } from '@sdk/firestore';
import type { Layout } from '../core/scene/zone.ts';
import { sidesOf } from './card-layout.ts';
import { getDb } from './database.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  MAX_NAME_LENGTH,
  projectSchema,
  readDocument,
  usedLayouts,
  type WithId,
} from './documents.ts';
import { paths } from './paths.ts';

/** Most versions kept of a layout; the oldest that nobody has named go. */
export const MAX_VERSIONS = 60;

/** Says what a layout is found by. */
export function tagLayout(layout: string, tags: readonly string[]): Promise<void> {
  return updateDoc(paths.layout(layout), { tags: [...tags] });
}

/** Keeps a layout as it is now, under a name or none. */
export async function keepVersion(layout: string, scene: Layout, name = ''): Promise<void> {
  const versions = await getDocs(query(paths.layoutVersions(layout), orderBy('at', 'desc')));
  const batch = writeBatch(getDb());
  batch.set(doc(paths.layoutVersions(layout)), {
    name: name.trim().slice(0, MAX_NAME_LENGTH),
    at: serverTimestamp(),
    scene,
  });
  const unnamed = versions.docs.filter((version) => !version.data()?.name);
  const excess = Math.max(0, versions.docs.length + 1 - MAX_VERSIONS);
  for (const version of excess > 0 ? unnamed.slice(-excess) : []) batch.delete(version.ref);
  await batch.commit();
}

/** Gives a kept version another name. */
export function nameVersion(layout: string, version: string, name: string): Promise<void> {
  return updateDoc(paths.layoutVersion(layout, version), { name: name.trim().slice(0, MAX_NAME_LENGTH) });
}

/** Deletes a layout and its versions. Components that used it show their cards without one. */
export async function deleteLayout(layout: string): Promise<void> {
  const versions = await getDocs(paths.layoutVersions(layout));
  const batch = writeBatch(getDb());
  for (const version of versions.docs) batch.delete(version.ref);
  batch.delete(paths.layout(layout));
  await batch.commit();
}

/** Cards looked through for one that shows a layout, where a column says which cards do. */
const MAX_LOOKED_THROUGH = 500;

/** A component whose cards a layout shows. */
export interface LayoutUser {
  readonly project: string;
  readonly projectName: string;
  readonly component: WithId<Component>;
  /** The layout is on the cards' backs. */
  readonly back: boolean;
  /** Of its first card that shows the layout. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The components of one's own projects that use a layout, with a card to show. */
export async function layoutUsers(layout: string): Promise<LayoutUser[]> {
  const projects = await getDocs(paths.projects());
  const found = await Promise.all(
    projects.docs.map(async (snapshot) => {
      const project = readDocument(projectSchema, snapshot.ref.path, snapshot.data());
      if (project.trashedAt > 0) return [];
      const components = await getDocs(paths.components(snapshot.id));
      const users = components.docs
        .map((one) => ({ id: one.id, ...readDocument(componentSchema, one.ref.path, one.data()) }))
        .filter((component) => usedLayouts(component).includes(layout));
      return Promise.all(
        users.map(async (component): Promise<LayoutUser> => {
          const fronts = [component.layoutId, ...Object.values(component.frontBy?.layouts ?? {})];
          const back = !fronts.includes(layout);
          const some = component.frontBy || component.backBy ? MAX_LOOKED_THROUGH : 1;
          const read = await getDocs(
            query(paths.cards(snapshot.id, component.id), orderBy('order'), limit(some)),
          );
          const cards = read.docs.map((one) => readDocument(cardSchema, one.ref.path, one.data()));
          const shown = cards.find((card) => sidesOf(component, card)[back ? 'back' : 'front'] === layout);
          const { cells = {} } = shown ?? cards[0] ?? {};
          return { project: snapshot.id, projectName: project.name, component, back, cells };
        }),
      );
    }),
  );
  return found.flat();
}

/** Makes a layout that starts as another and follows it: its changes can be taken over later. */
export async function createFollower({ id, scene }: WithId<LayoutDocument>): Promise<string> {
  const batch = writeBatch(getDb());
  const ref = doc(paths.layouts());
  const name = `${scene.name}, a variant`.slice(0, MAX_NAME_LENGTH);
  batch.set(ref, {
    name,
    version: scene.version,
    updatedAt: serverTimestamp(),
    scene: { ...scene, name },
    follows: { layout: id, scene },
  });
  await batch.commit();
  return ref.id;
}

/** Remembers which changes of the layout it follows are in a layout; `null` follows none any more. */
export function setFollowed(layout: string, follows: LayoutDocument['follows']): Promise<void> {
  return updateDoc(paths.layout(layout), { follows });
}
