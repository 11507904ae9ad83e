import { limit, orderBy, query } from '@sdk/firestore';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Project } from '../project/open-project.ts';
import { useLiveDocument, useLiveList } from '../server/live.ts';
import { compareVersions } from './calls.ts';
import { gameVersionSchema } from './schema.ts';

/** Most versions listed: all named ones, and what is kept of automatic ones. */
const MAX_LISTED = 1_000;

/** A project's versions, the newest first. */
export const useGameVersions = (project: Project) =>
  useLiveList(
    [project.gameVersions.path],
    query(project.gameVersions, orderBy('number', 'desc'), limit(MAX_LISTED)),
    gameVersionSchema,
  );

/** One version. */
export const useGameVersion = (project: Project, version: string) =>
  useLiveDocument(project.gameVersion(version), gameVersionSchema);

const comparisons = (project: Pick<Project, 'id'>) => ['compared versions', project.id] as const;

/** All that two states of a project do not have alike; asked again by {@link compareAgain}. */
export const useCompared = (project: Project, from: string, to: string) =>
  useQuery({
    queryKey: [...comparisons(project), from, to],
    queryFn: () => compareVersions(project, from, to),
    // Today's state goes on while it is compared: what is shown stays until somebody asks again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Comparisons of the project are made again, as something was restored. */
export const compareAgain = (client: QueryClient, project: Pick<Project, 'id'>): Promise<void> =>
  client.invalidateQueries({ queryKey: comparisons(project) });
