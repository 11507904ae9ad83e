import {
  doc,
  documentId,
  getDocs,
  limit,
  orderBy,
  query,
  serverTimestamp,
  updateDoc,
  type WriteBatch,
  where,
  writeBatch,
} from '@sdk/firestore';
import { sessionUser } from '../account/session.ts';
import { type RulebookDocument, rulebookSchema, type WithId } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { type BatchWrite, commitNew } from '../server/commit.ts';
import { useLiveList } from '../server/live.ts';
import { numbered } from './numbered.ts';

/** Fields of a rulebook beside its text. */
export type RulebookFields = Pick<RulebookDocument, 'title' | 'subtitle' | 'language' | 'format' | 'style'>;

/** Most rulebooks of a project that are listed. */
export const MAX_RULEBOOKS = 100;
/** A deleted rulebook can be brought back for so long, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
/** Steps and versions deleted in one commit. */
const BATCH = 250;

/** A project's rulebooks, deleted ones among them. */
export const useRulebooks = (project: Project) =>
  useLiveList(
    [project.rulebooks.path],
    query(project.rulebooks, orderBy('order'), limit(MAX_RULEBOOKS)),
    rulebookSchema,
  );

/** The writes that make a rulebook, its text made of these steps: its own document is the first. */
export function rulebookWrites(
  project: Project,
  id: string,
  fields: RulebookFields & { readonly order: number },
  steps: readonly string[],
): BatchWrite[] {
  const by = sessionUser()?.uid ?? '';
  const head = { ...fields, head: steps.length, deletedAt: 0 };
  return [
    {
      characters: JSON.stringify(head).length,
      into: (batch) => batch.set(project.rulebook(id), { ...head, updatedAt: serverTimestamp() }),
    },
    ...steps.map((s, at) => ({
      characters: s.length,
      into: (batch: WriteBatch) =>
        batch.set(doc(project.rulebookSteps(id), numbered(at + 1)), {
          client: 'start',
          by,
          at: serverTimestamp(),
          s,
        }),
    })),
  ];
}

/** Makes a rulebook, its text made of these steps, and answers its id. */
export async function createRulebook(
  project: Project,
  fields: RulebookFields & { readonly order: number },
  steps: readonly string[],
): Promise<string> {
  const ref = doc(project.rulebooks);
  const batch = writeBatch(project.db);
  for (const { into } of rulebookWrites(project, ref.id, fields, steps)) into(batch);
  await commitNew(batch, ref);
  return ref.id;
}

export function describeRulebook(
  project: Project,
  rulebook: string,
  fields: Partial<RulebookFields>,
): Promise<void> {
  return updateDoc(project.rulebook(rulebook), { ...fields, updatedAt: serverTimestamp() });
}

/** Puts a rulebook away; it can be brought back for a day. What is published of it is closed at once, and stays so. */
export async function deleteRulebook(
  project: Project,
  { id, link }: Pick<WithId<RulebookDocument>, 'id' | 'link'>,
  now: number,
): Promise<void> {
  if (link !== '') {
    const { unpublish } = await import('./publish.ts');
    await unpublish(project, id, link);
  }
  await updateDoc(project.rulebook(id), { deletedAt: now });
}

export function restoreRulebook(project: Project, rulebook: string): Promise<void> {
  return updateDoc(project.rulebook(rulebook), { deletedAt: 0 });
}

/** Deletes the rulebooks for good that were put away more than a day ago, with their steps, versions, translations and comments. */
export async function purgeRulebooks(
  project: Project,
  rulebooks: readonly WithId<RulebookDocument>[],
  now: number,
): Promise<void> {
  for (const { id, deletedAt } of rulebooks) {
    if (deletedAt === 0 || deletedAt > now - KEPT_MS) continue;
    const languages = (await getDocs(project.rulebookLanguages(id))).docs;
    const parts = [
      ...languages.map((language) => query(project.translationParts(id, language.id), orderBy(documentId()))),
      query(project.rulebookLanguages(id), orderBy(documentId())),
      query(project.rulebookSteps(id), orderBy(documentId())),
      query(project.rulebookVersions(id), orderBy(documentId())),
      query(project.comments, where('rulebook', '==', id)),
    ];
    for (const part of parts) {
      for (;;) {
        const { docs } = await getDocs(query(part, limit(BATCH)));
        if (docs.length === 0) break;
        const batch = writeBatch(project.db);
        for (const { ref } of docs) batch.delete(ref);
        await batch.commit();
      }
    }
    const batch = writeBatch(project.db);
    batch.delete(project.rulebook(id));
    await batch.commit();
  }
}
