import { ask, database } from '../server/server.ts';

/** Most collections listed below one document. */
const MOST = 1_000;

/** The ids of the collections below a document, or of the root's. */
export async function listCollections(databaseId: string, parent: string): Promise<readonly string[]> {
  const { root } = database(databaseId);
  const path = `${root}${parent === '' ? '' : `/${parent}`}`.split('/').map(encodeURIComponent).join('/');
  const { collectionIds = [] } = await ask<{ collectionIds?: string[] }>(
    `/v1/${path.replace(/%28default%29/gi, '(default)')}:listCollectionIds`,
    { json: { pageSize: MOST } },
  );
  return collectionIds;
}
