import { type DocumentReference, type Firestore, getDoc, type WriteBatch, writeBatch } from '@sdk/firestore';

/** Codes of calls that ended without an answer. */
const UNANSWERED = new Set<unknown>(['deadline-exceeded', 'unavailable']);

/** True if a commit ended without an answer: the server may have taken it, or may still do so. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && UNANSWERED.has((error as { code?: unknown }).code);
}

/**
 * Commits a batch that makes a document. If no answer comes, the server is asked whether the document is there, so that
 * nobody is told to try again what was done.
 */
export async function commitNew(batch: WriteBatch, made: DocumentReference): Promise<void> {
  try {
    await batch.commit();
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const found = await getDoc(made).then(
      (snapshot) => snapshot.exists(),
      () => false,
    );
    if (!found) throw error;
  }
}

/** Most documents of one commit, and their most characters: others get their turn between, and no commit is too large. */
const MAX_BATCH = 250;
const MAX_BATCH_CHARACTERS = 1_000_000;

/** One of many writes, with its weight. */
export interface BatchWrite {
  readonly characters: number;
  readonly into: (batch: WriteBatch) => void;
}

/**
 * Commits writes in order, as many together as a commit may hold.
 * @param before called before each commit with the number of writes that are done, and the last of its own; what it
 *   throws ends the work
 */
export async function commitInBatches<W extends BatchWrite>(
  db: Firestore,
  writes: readonly W[],
  before: (done: number, write: W) => void = () => undefined,
): Promise<void> {
  let batch = writeBatch(db);
  let count = 0;
  let characters = 0;
  for (const [at, write] of writes.entries()) {
    write.into(batch);
    count++;
    characters += write.characters;
    const next = writes[at + 1]?.characters ?? 0;
    if (count < MAX_BATCH && characters + next < MAX_BATCH_CHARACTERS && at + 1 < writes.length) continue;
    before(at + 1 - count, write);
    await batch.commit();
    batch = writeBatch(db);
    count = 0;
    characters = 0;
  }
}
