import { getDocs, limit, query } from '@sdk/firestore';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../project/open-project.ts';
import { MAX_RULEBOOKS } from '../rulebooks/rulebooks.ts';

/** Languages that the cards or a rulebook of a project are translated into, as they are when they are asked for. */
export const useKnownLanguages = (project: Project) =>
  useQuery({
    queryKey: ['known languages', project.id],
    queryFn: () => readKnownLanguages(project),
    staleTime: 0,
  });

async function readKnownLanguages(project: Project): Promise<readonly string[]> {
  const rulebooks = (await getDocs(query(project.rulebooks, limit(MAX_RULEBOOKS)))).docs;
  const places = [project.languages, ...rulebooks.map(({ id }) => project.rulebookLanguages(id))];
  const found = await Promise.all(
    places.map(async (place) => (await getDocs(place)).docs.map(({ id }) => id)),
  );
  return [...new Set(found.flat())].sort();
}
