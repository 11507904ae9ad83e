import { type DocumentReference, getDoc, type WriteBatch } from '@sdk/firestore';

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
