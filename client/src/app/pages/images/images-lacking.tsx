import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../../data/account/session.ts';
import { imagesOf } from '../../../data/images/library-location.ts';
import { useImageLibrary } from '../../../data/images/library-store.ts';
import { adoptShown, imagesLacking } from '../../../data/images/project-images.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './images.module.css';

/** Most names in the note. */
const MAX_NAMED = 5;

/**
 * Tells whoever edits a project which images its cards show from their own library, where others see none, and offers to
 * copy them: names that somebody else typed take nothing out of a library by themselves.
 */
export function ImagesLacking({ project }: { project: Project }) {
  const { uid } = useUser();
  const { images: mine } = useImageLibrary('image');
  const { images: own } = useImageLibrary(imagesOf(project));
  const [busy, setBusy] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['images lacking', uid, project.id, idsOf(mine), idsOf(own)],
    queryFn: () => imagesLacking(project),
    // Cards may have changed since the page was last here.
    gcTime: 0,
    staleTime: 0,
  });
  if (error) return <Problem title={`Images of your library were not looked for: ${describeError(error)}`} />;
  if (!data || data.length === 0) return null;
  const copy = async () => {
    setBusy(true);
    try {
      await adoptShown(project);
      toasts.show(`${data.length === 1 ? 'The image is' : `${data.length} images are`} in the project now.`, {
        type: 'success',
      });
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  const names = data.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = data.length - names.length;
  return (
    <div className={css.lacking} role="status">
      <p>
        {data.length === 1 ? 'One image of your library is' : `${data.length} images of your library are`}{' '}
        shown on cards here, to you alone: {names.join(', ')}
        {more > 0 && ` and ${more} more`}.
      </p>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void copy()}>
        {data.length === 1 ? 'Copy it into the project' : 'Copy them into the project'}
      </Button>
    </div>
  );
}

const idsOf = (images: readonly { readonly id: string }[]): string => images.map(({ id }) => id).join(' ');
