import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../database.ts';

/** Present id of a project that an old address names. The server tells it to members of the project alone. */
export async function whereIsProject(id: string): Promise<string> {
  const call = httpsCallable<{ kind: 'project'; id: string }, { id: string }>(getCallables(), 'whereIs');
  return (await call({ kind: 'project', id })).data.id;
}

/** A path of the application with another project in the place of `old`. */
export const pathWithProject = (path: string, old: string, id: string): string =>
  path
    .split('/')
    .map((part) => (part === old || part === encodeURIComponent(old) ? encodeURIComponent(id) : part))
    .join('/');
