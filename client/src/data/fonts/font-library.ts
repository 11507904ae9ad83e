import { useQuery } from '@tanstack/react-query';
import { type FontFamily, learnFamilies } from '../../core/text/fonts/catalogue.ts';
import { fetchFontList } from '../../workers/sources/sources.ts';

/** The large list of fonts; `prefetchQuery` it once somebody is signed in. */
export const fontLibraryQuery = {
  queryKey: ['font-library'],
  queryFn: async (): Promise<readonly FontFamily[]> => {
    const families = await fetchFontList();
    learnFamilies(families);
    return families;
  },
  staleTime: Number.POSITIVE_INFINITY,
} as const;

/** The large list of fonts. */
export function useFontLibrary() {
  return useQuery(fontLibraryQuery);
}
