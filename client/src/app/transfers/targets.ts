import { useMemo } from 'react';
import { useUser } from '../../data/account/session.ts';
import type { NamedPlace } from '../../data/asset-copies.ts';
import type { ProjectDocument, WithId } from '../../data/documents/documents.ts';
import { edits, roleOf, sees } from '../../data/project/members.ts';
import { useJoinedProjects } from '../../data/project/queries.ts';
import { projectChoices } from '../pages/projects/project-list.ts';

/** A place that takes images and layouts. */
export interface Target {
  readonly place: NamedPlace;
  /** The project's id; empty for the library. */
  readonly id: string;
  readonly label: string;
  /** Says who sees what lies there. */
  readonly audience: string;
}

/** Says that nobody else sees what lies in a place. */
export const ONLY_YOU = 'Only you';

/** Most people that are named. */
const MAX_NAMED = 3;

/** The people who see a project's things; without a project, those of the user's library. */
export function audienceOf(
  project: Pick<ProjectDocument, 'members' | 'people'> | undefined,
  uid: string,
): string {
  if (!project) return ONLY_YOU;
  const others = Object.keys(project.members).filter((one) => one !== uid && sees(roleOf(project, one)));
  if (others.length === 0) return ONLY_YOU;
  const names = others.slice(0, MAX_NAMED).map((one) => project.people[one] || 'somebody without a name');
  const more = others.length - names.length;
  const all = ['You', ...names, ...(more > 0 ? [more === 1 ? '1 other' : `${more} others`] : [])];
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** The places where the user may put things of another place. */
export function useTargets(from: NamedPlace): {
  /** `undefined` until they are known. */
  readonly targets: readonly Target[] | undefined;
  readonly error: Error | null;
} {
  const { uid } = useUser();
  const { data, error } = useJoinedProjects();
  const { project } = from;
  const targets = useMemo(() => data && targetsFor(data.items, uid, project), [data, uid, project]);
  return { targets, error };
}

/** The places that take things of a project, or of the library: the library first, then projects last changed first. */
export function targetsFor(
  all: readonly WithId<ProjectDocument>[],
  uid: string,
  from: string | undefined,
): readonly Target[] {
  const projects = all.filter(
    (one) => one.trashedAt === 0 && one.id !== from && one.frozenOf === undefined && edits(roleOf(one, uid)),
  );
  const labels = new Map(projectChoices(projects).map(({ value, label }) => [value, label]));
  const library = { place: {}, id: '', label: 'Your library', audience: audienceOf(undefined, uid) };
  return [
    ...(from === undefined ? [] : [library]),
    ...projects.map((one) => ({
      place: { project: one.id },
      id: one.id,
      label: labels.get(one.id) ?? one.name,
      audience: audienceOf(one, uid),
    })),
  ];
}
