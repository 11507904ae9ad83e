import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../server/database.ts';
import { layoutSegment, readLayoutSegment } from './layout-address.ts';

/** Present id of a project that an old address names. The server tells it to members of the project alone. */
export async function whereIsProject(id: string): Promise<string> {
  const call = httpsCallable<{ kind: 'project'; id: string }, { id: string }>(getCallables(), 'whereIs');
  return (await call({ kind: 'project', id })).data.id;
}

/** A layout that an address of an earlier version names. */
export interface OldLayout {
  readonly id: string;
  /** Account that it lay with. */
  readonly owner?: string | undefined;
  /** Project that the address names beside it. */
  readonly project?: string | undefined;
}

/** Present place of a layout that an old address names. The server tells it to those who may see it alone. */
export async function whereIsLayout(old: OldLayout): Promise<{ project: string; id: string }> {
  const call = httpsCallable<OldLayout & { kind: 'layout' }, { project: string; id: string }>(
    getCallables(),
    'whereIs',
  );
  const { project, id } = (await call({ kind: 'layout', ...old })).data;
  return { project, id };
}

/** A path of the application with another project in the place of `old`. */
export const pathWithProject = (path: string, old: string, id: string): string =>
  path
    .split('/')
    .map((part) => (namesProject(part, old) ? encodeURIComponent(id) : withLayoutsProject(part, old, id)))
    .join('/');

const namesProject = (part: string, id: string): boolean => part === id || part === encodeURIComponent(id);

/** A segment that names a layout of the project `old`, with `id` in its place; other segments stay. */
function withLayoutsProject(part: string, old: string, id: string): string {
  const layout = readLayoutSegment(decodeURIComponent(part));
  return layout.project === old ? encodeURIComponent(layoutSegment({ ...layout, project: id })) : part;
}
