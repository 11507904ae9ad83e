import { useMemo, useSyncExternalStore } from 'react';
import type { Rename } from '../../../../core/images/sources.ts';
import { imagesOfState } from '../../../../core/versions/pictures.ts';
import { NOW } from '../../../../data/versions/calls.ts';
import { knownLibrary, onLibrary } from '../../../../workers/sources/library.ts';
import { useComparison } from '../comparison-context.ts';

export interface ImagesOfStates {
  readonly before: Rename | undefined;
  readonly after: Rename | undefined;
}

/** Addresses for images that looked otherwise in the states that are compared around here than they do today. */
export function useImagesOfStates(): ImagesOfStates {
  const { to, difference } = useComparison();
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  return useMemo(() => {
    const images = difference.images.filter(({ content }) => content);
    return {
      before: imagesOfState(library, images, 'before'),
      after: to === NOW ? undefined : imagesOfState(library, images, 'after'),
    };
  }, [library, difference, to]);
}
