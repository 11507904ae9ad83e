import { useQuery } from '@tanstack/react-query';
import { type FontFamily, learnFamilies } from '../../core/text/fonts/catalogue.ts';
import { fetchFontList, fetchFontPack } from '../../workers/sources/sources.ts';

async function learned(fetchList: () => Promise<readonly FontFamily[]>): Promise<readonly FontFamily[]> {
  const families = await fetchList();
  learnFamilies(families);
  return families;
}

/** The large list of fonts; `prefetchQuery` it once somebody is signed in. */
export const fontLibraryQuery = {
  queryKey: ['font-library'],
  queryFn: () => learned(fetchFontList),
  staleTime: Number.POSITIVE_INFINITY,
} as const;

/** The large list of fonts. */
export function useFontLibrary() {
  return useQuery(fontLibraryQuery);
}

/** Fonts for Chinese, Japanese and Korean; none where the server does not have them. @param wanted they are to be read */
export function useFontPack(wanted: boolean) {
  return useQuery({
    queryKey: ['font-pack'],
    queryFn: () => learned(fetchFontPack),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: wanted,
  });
}
