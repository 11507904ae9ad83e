/** Changes to documents, made as the owner. */

import { post } from '../../sdk/firestore/rest.ts';
import type { WireDocument, WireFields, WireValue, WireWrite } from '../../sdk/firestore/types.ts';
import { database } from '../server/server.ts';

/** Most deletes sent at once. */
const BATCH = 400;

async function commit(databaseId: string, writes: readonly WireWrite[]): Promise<void> {
  const { root } = database(databaseId);
  await post(database(databaseId), `${root}:commit`, { writes });
}

/** Makes a document, which must not be there. */
export async function create(databaseId: string, path: string, fields: WireFields): Promise<void> {
  const name = `${database(databaseId).root}/${path}`;
  await commit(databaseId, [{ update: { name, fields }, currentDocument: { exists: false } }]);
}

/** Puts fields in the place of a document's, if it is still as it was seen. */
export async function replace(databaseId: string, seen: WireDocument, fields: WireFields): Promise<void> {
  const currentDocument = seen.updateTime ? { updateTime: seen.updateTime } : { exists: true };
  await commit(databaseId, [{ update: { name: seen.name, fields }, currentDocument }]);
}

/** A field path of the wire. */
export function fieldPath(names: readonly string[]): string {
  const quoted = (name: string) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
  return names.map(quoted).join('.');
}

function nested(names: readonly string[], value: WireValue): WireFields {
  const [name = '', ...rest] = names;
  return { [name]: rest.length === 0 ? value : { mapValue: { fields: nested(rest, value) } } };
}

/** Sets one field, which may lie within maps; `undefined` removes it. */
export async function setField(
  databaseId: string,
  name: string,
  names: readonly string[],
  value: WireValue | undefined,
): Promise<void> {
  const fields = value === undefined ? {} : nested(names, value);
  await commit(databaseId, [
    {
      update: { name, fields },
      updateMask: { fieldPaths: [fieldPath(names)] },
      currentDocument: { exists: true },
    },
  ]);
}

/** Names of all documents below a document, or in a collection and below it. */
async function below(databaseId: string, parent: string, collectionId?: string): Promise<string[]> {
  const base = database(databaseId);
  const where = parent === '' ? base.root : `${base.root}/${parent}`;
  const found = (await post(base, `${where}:runQuery`, {
    structuredQuery: {
      from: [
        { ...(collectionId !== undefined && { collectionId }), allDescendants: collectionId === undefined },
      ],
      select: { fields: [{ fieldPath: '__name__' }] },
    },
  })) as { document?: WireDocument }[];
  return found.flatMap(({ document }) => (document ? [document.name] : []));
}

/** Deletes documents; with `deep` also everything below them. */
export async function remove(databaseId: string, paths: readonly string[], deep: boolean): Promise<void> {
  const { root } = database(databaseId);
  const names = paths.map((path) => `${root}/${path}`);
  if (deep) {
    for (const path of paths) names.push(...(await below(databaseId, path)));
  }
  for (let at = 0; at < names.length; at += BATCH) {
    await commit(
      databaseId,
      names.slice(at, at + BATCH).map((name) => ({ delete: name })),
    );
  }
}

/** Deletes a collection's documents and everything below them. */
export async function removeCollection(databaseId: string, collection: string): Promise<void> {
  const cut = collection.lastIndexOf('/');
  const parent = cut < 0 ? '' : collection.slice(0, cut);
  const { root } = database(databaseId);
  const names = await below(databaseId, parent, collection.slice(cut + 1));
  await remove(
    databaseId,
    names.map((name) => name.slice(root.length + 1)),
    true,
  );
}
