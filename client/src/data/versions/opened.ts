import type { ProjectName } from '../project/addresses.ts';

/** Between a project's id and a version's, in the id of an opened version. No other id has it. */
const MARK = '~';

/** An opened version: the documents that a version shows, as a project of their own that nobody changes. */
export interface OpenedName {
  /** Id of the project that it is a version of. */
  readonly project: string;
  readonly version: string;
}

/** Id of an opened version among projects. */
export const openedId = ({ project, version }: OpenedName): string => `${project}${MARK}${version}`;

/** Reads the id of an opened version; `undefined` for that of a project. */
export function readOpenedId(id: string): OpenedName | undefined {
  const at = id.indexOf(MARK);
  if (at <= 0 || at === id.length - 1) return undefined;
  return { project: id.slice(0, at), version: id.slice(at + 1) };
}

/** Name of an opened version of a project, for `openProject`. */
export const openedName = ({ id, owner }: ProjectName, version: string): ProjectName => ({
  id: openedId({ project: id, version }),
  owner,
});
