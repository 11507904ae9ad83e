import { useEffect, useReducer } from 'react';
import { useImageLibrary } from '../../../data/images/library-store.ts';
import { followProjectImages, shareImages } from '../../../data/images/project-images.ts';
import { edits, isShared } from '../../../data/members.ts';
import { onPicked } from '../../images/recent-images.ts';
import type { ProjectAccess } from './project-gate.tsx';

/** After so long without another change, in milliseconds, pictures are lent to the project. */
const SETTLE_MS = 1_500;

/** Shows the pictures that people lend an open project, and lends it the user's own where others see it. */
export function useProjectImages({ project, details, role }: ProjectAccess): void {
  const { updatedAt } = details;
  useEffect(() => followProjectImages(project), [project]);

  const shares = isShared(details) && edits(role);
  const { images } = useImageLibrary('image');
  const [picks, picked] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onPicked(picked), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever cards, the library or a choice change
  useEffect(() => {
    if (!shares) return;
    // Should it fail, the next change or the next visit makes up for it.
    const waiting = setTimeout(() => void shareImages(project).catch(() => undefined), SETTLE_MS);
    return () => clearTimeout(waiting);
  }, [project, shares, updatedAt, images, picks]);
  // Shares images used by edits made in the meantime.
  useEffect(() => {
    if (!shares) return;
    return () => void shareImages(project).catch(() => undefined);
  }, [project, shares]);
}
