import {
  doc,
  documentId,
  getDocs,
  limit,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  startAfter,
  updateDoc,
} from '@sdk/firestore';
import type { Block } from '../../core/book/document/schema.ts';
import { blocksOfProse } from '../../core/book/prose/convert.ts';
import { readVersion, writeVersion } from '../../core/book/prose/versions.ts';
import { sessionUser } from '../account/session.ts';
import { readDocument, rulebookVersionSchema } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { numbered } from './numbered.ts';
import type { Base } from './sync.ts';

/** Versions read at once: each holds a whole text. */
export const VERSIONS_READ = 10;
/** Longest name of a version; the rules say the same. */
export const MAX_VERSION_NAME = 200;

/** A state of the text that was kept. */
export interface RulebookVersion {
  /** Number of the step that left it. */
  readonly number: number;
  /** Empty for one that was kept by itself. */
  readonly name: string;
  readonly by: string;
  readonly at: number;
  readonly text: string;
}

/** The blocks of a kept state. @throws RulebookError when it cannot be read */
export const blocksOfVersion = ({ text }: RulebookVersion): readonly Block[] =>
  blocksOfProse(readVersion(text));

/** Some kept states, the newest first: those before the number of one, or the newest of all. */
export async function readVersions(
  project: Project,
  rulebook: string,
  before?: number,
): Promise<{ readonly versions: readonly RulebookVersion[]; readonly more: boolean }> {
  const newestFirst = query(project.rulebookVersions(rulebook), orderBy(documentId(), 'desc'));
  const from = before === undefined ? newestFirst : query(newestFirst, startAfter(numbered(before)));
  const { docs } = await getDocs(query(from, limit(VERSIONS_READ)));
  const versions = docs.map((found) => {
    const { name, by, at, doc: text } = readDocument(rulebookVersionSchema, found.ref.path, found.data());
    return { number: Number(found.id), name, by, at, text };
  });
  return { versions, more: docs.length === VERSIONS_READ };
}

/**
 * Keeps the stored text under a name, or without one. A state that is kept already gets the name.
 * @throws RulebookError when the text is too long to be kept
 */
export async function keepVersion(
  project: Project,
  rulebook: string,
  { doc: text, number, hash }: Base,
  name = '',
): Promise<void> {
  const ref = doc(project.rulebookVersions(rulebook), numbered(number));
  const version = {
    name,
    by: sessionUser()?.uid ?? '',
    at: serverTimestamp(),
    hash,
    doc: writeVersion(text),
  };
  await runTransaction(project.db, async (transaction) => {
    const kept = await transaction.get(ref);
    if (!kept.exists()) transaction.set(ref, version);
    else if (name !== '') transaction.update(ref, { name });
  });
}

export function nameVersion(project: Project, rulebook: string, number: number, name: string): Promise<void> {
  return updateDoc(doc(project.rulebookVersions(rulebook), numbered(number)), { name });
}
