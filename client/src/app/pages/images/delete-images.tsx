import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { deleteImages } from '../../../data/images/edit.ts';
import { projectOfPlace } from '../../../data/images/library-location.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import { findUses, type ImageUse } from '../../../data/images/uses.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './images.module.css';

/** Most places listed by name. */
const MAX_LISTED = 12;

/** Uses of images: fetched on request, because every card is read. */
export function useImageUses(
  images: readonly StoredImage[],
  all: readonly StoredImage[],
  asked: boolean,
): { readonly uses: readonly ImageUse[] | undefined; readonly failure: string | undefined } {
  const [uses, setUses] = useState<readonly ImageUse[]>();
  const [failure, setFailure] = useState<string>();
  const ids = images.map(({ id }) => id).join(' ');
  const place = images[0]?.place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the library as it was when asked is the one to search
  useEffect(() => {
    if (!asked || place === undefined) return;
    let stale = false;
    setUses(undefined);
    setFailure(undefined);
    findUses(place, all, new Set(ids.split(' '))).then(
      (found) => {
        if (!stale) setUses(found);
      },
      (error: unknown) => {
        if (!stale) setFailure(describeError(error));
      },
    );
    return () => {
      stale = true;
    };
  }, [asked, ids, place]);
  return { uses, failure };
}

/** Places that use images, each a link to it. */
export function UseList({ uses }: { uses: readonly ImageUse[] }) {
  return (
    <ul className={css.uses}>
      {uses.slice(0, MAX_LISTED).map(({ what, to, image }) => (
        <li key={`${image} ${to}`}>
          <Link to={to}>{what}</Link>
        </li>
      ))}
      {uses.length > MAX_LISTED && <li>and {uses.length - MAX_LISTED} more places</li>}
    </ul>
  );
}

/** Says what uses the images, then deletes them. */
export function DeleteImages({
  open,
  images,
  all,
  onClose,
  onDone,
}: {
  open: boolean;
  images: readonly StoredImage[];
  all: readonly StoredImage[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { uses: found, failure: unsure } = useImageUses(images, all, open);
  const uses = found?.filter(({ copy }) => !copy);
  const copies = found?.filter(({ copy }) => copy) ?? [];
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const what = images.length === 1 ? `“${images[0]?.path}”` : `${images.length} images`;
  const stock = images.some(({ shelf }) => shelf === 'stock');
  const ofProject = images.some(({ place }) => projectOfPlace(place) !== undefined);
  const remove = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await deleteImages(images, all);
      toasts.show(`${images.length === 1 ? 'The image is' : `${images.length} images are`} deleted.`, {
        type: 'success',
      });
      onDone();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup
      open={open}
      onClose={onClose}
      title={images.length === 1 ? 'Delete this image?' : 'Delete images?'}
    >
      {failure && <Problem title={failure} />}
      {unsure && <Problem title={`What uses it could not be looked up: ${unsure}`} />}
      {!uses && !unsure && <p role="status">Looking for cards and layouts that use it…</p>}
      {uses?.length === 0 && (
        <p>
          No layout and no card {stock ? 'of yours ' : ofProject ? 'of this project ' : ''}uses {what}. This
          cannot be undone.
        </p>
      )}
      {uses && uses.length > 0 && (
        <>
          <p>
            {what} {images.length === 1 ? 'is' : 'are'} used in {uses.length}{' '}
            {uses.length === 1 ? 'place' : 'places'}, which will show an empty frame with the name instead.
            This cannot be undone.
          </p>
          <UseList uses={uses} />
        </>
      )}
      {stock && <p>Cards of other people may use it too.</p>}
      {ofProject && uses && uses.length > 0 && (
        <p>Cards that show an image of your library by this name go on showing that one.</p>
      )}
      {copies.length > 0 && (
        <>
          <p>Copies in projects stay:</p>
          <UseList uses={copies} />
        </>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep
        </Button>
        <Button color={DANGER} loading={busy} disabled={!uses && !unsure} onClick={() => void remove()}>
          Delete {images.length === 1 ? 'image' : `${images.length} images`}
        </Button>
      </PopupActions>
    </Popup>
  );
}
