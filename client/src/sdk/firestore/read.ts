import type { Database } from './database.ts';
import { FirestoreError } from './error.ts';
import type { Query } from './query-core.ts';
import type { DocumentData, DocumentReference } from './reference.ts';
import { post } from './rest.ts';
import { type DocumentSnapshot, maybeSnapshot, QuerySnapshot, snapshotOf } from './snapshot.ts';
import type { WireDocument } from './types.ts';

interface BatchGetReply {
  found?: WireDocument;
  missing?: string;
  readTime?: string;
}

/** Reads documents at one time. Answers them by wire name; missing ones are `undefined`. */
export async function batchGet(
  database: Database,
  names: readonly string[],
): Promise<Map<string, { document: WireDocument | undefined; readTime: string | undefined }>> {
  const replies = (await post(database, `${database.root}:batchGet`, {
    documents: names,
  })) as BatchGetReply[];
  const found = new Map<string, { document: WireDocument | undefined; readTime: string | undefined }>();
  for (const reply of replies) {
    const name = reply.found?.name ?? reply.missing;
    if (name) found.set(name, { document: reply.found, readTime: reply.readTime });
  }
  return found;
}

/** Reads one document. */
export async function getDoc<T = DocumentData>(ref: DocumentReference<T>): Promise<DocumentSnapshot<T>> {
  const database = ref.firestore as Database;
  const reply = (await batchGet(database, [ref.wireName])).get(ref.wireName);
  if (!reply) throw new FirestoreError('internal', `The server said nothing about ${ref.path}.`);
  return maybeSnapshot(database, ref, reply.document);
}

/** Runs a query once. */
export async function getDocs<T = DocumentData>(query: Query<T>): Promise<QuerySnapshot<T>> {
  const database = query.firestore as Database;
  const replies = (await post(database, `${query.wireParent}:runQuery`, {
    structuredQuery: query.toWire(),
  })) as { document?: WireDocument }[];
  const docs = replies.flatMap((reply) => (reply.document ? [snapshotOf<T>(database, reply.document)] : []));
  const changes = docs.map((doc, newIndex) => ({ type: 'added' as const, doc, oldIndex: -1, newIndex }));
  return new QuerySnapshot(query, docs, changes, { fromCache: false, hasPendingWrites: false });
}
