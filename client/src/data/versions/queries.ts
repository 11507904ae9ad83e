import { limit, orderBy, query } from '@sdk/firestore';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { BlockChange } from '../../core/book/comparison/compare.ts';
import type { BranchTexts } from '../../core/versions/branch/rulebooks.ts';
import { placeOf } from '../../core/versions/place.ts';
import type { Project } from '../project/open-project.ts';
import { useLiveDocument, useLiveList } from '../server/live.ts';
import { compareBranch, compareVersions, NOW } from './calls.ts';
import { type Compared, gameVersionSchema } from './schema.ts';

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

/** Two states of a project, with the changes of their rulebooks' texts. */
export interface ComparedStates extends Compared {
  /** By the rulebook's id; of a text that cannot be read there are none. */
  readonly texts: ReadonlyMap<string, readonly BlockChange[]>;
}

async function textsOf({ changes }: Compared): Promise<ComparedStates['texts']> {
  const texts = new Map<string, readonly BlockChange[]>();
  const ids = new Set(
    changes.flatMap(({ path }) => {
      const place = placeOf(path);
      return place.kind === 'text' ? [place.rulebook] : [];
    }),
  );
  if (ids.size === 0) return texts;
  // The editor's document model comes along only for rulebooks.
  const { compareTexts } = await import('./rulebook-texts.ts');
  for (const id of ids) {
    try {
      texts.set(id, await compareTexts(changes, id));
    } catch (error) {
      console.warn('The texts of a rulebook could not be compared.', error);
    }
  }
  return texts;
}

/** All that two states of a project do not have alike; asked again by {@link compareAgain}. */
export const useCompared = (project: Project, from: string, to: string) =>
  useQuery({
    queryKey: [...comparisons(project), from, to],
    queryFn: async (): Promise<ComparedStates> => {
      const compared = await compareVersions(project, from, to);
      return { ...compared, texts: await textsOf(compared) };
    },
    // Today's state goes on while it is compared: what is shown stays until somebody asks again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** A branch and its project, each compared with the version that the branch began as. */
export const useBranchCompared = (project: Project, from: string, branch: string) =>
  useQuery({
    queryKey: [...comparisons(project), from, 'branch', branch],
    queryFn: async () => {
      const [theirs, mine] = await Promise.all([
        compareBranch(project, from, branch),
        compareVersions(project, from, NOW),
      ]);
      const changed = theirs.changes.some(({ path }) => placeOf(path).kind === 'text');
      if (!changed) return { theirs, mine, texts: new Map<string, BranchTexts>() };
      // The editor's document model comes along only for rulebooks.
      const { branchTexts } = await import('./branch/texts.ts');
      return { theirs, mine, texts: await branchTexts(theirs.changes, mine.changes) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Comparisons of the project are made again, as something was restored. */
export const compareAgain = (client: QueryClient, project: Pick<Project, 'id'>): Promise<void> =>
  client.invalidateQueries({ queryKey: comparisons(project) });
