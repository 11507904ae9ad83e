import { useQuery } from '@tanstack/react-query';
import { openProject, type Project } from '../project/open-project.ts';
import { NOW, openVersion } from './calls.ts';
import { openedName } from './opened.ts';

/** An opened version is asked for again after so long, in milliseconds; the server keeps it for an hour. */
export const KEEP_OPEN_MS = 10 * 60_000;

/** A state of a project, to be read; a version is opened first. */
export async function openState(project: Project, state: string): Promise<Project> {
  if (state === NOW) return project;
  await openVersion(project.id, state);
  return openProject(openedName(project, state), project.db);
}

/** Keeps a version open for as long as it is shown. @param project id of the project */
export const useKeptOpen = (project: string, version: string) =>
  useQuery({
    queryKey: ['opened version', project, version],
    queryFn: () => openVersion(project, version),
    staleTime: KEEP_OPEN_MS / 2,
    refetchInterval: KEEP_OPEN_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
    retry: false,
  });
