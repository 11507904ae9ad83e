import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../../../data/account/session.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import { findOutdated, type OutdatedCopy, updateImageCopy } from '../../../data/images/outdated.ts';
import { thumbnailUrl } from '../../../data/images/schema.ts';
import { useJoinedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './images.module.css';

/** Longer edge of the pictures, in CSS pixels. */
const SHOWN_PX = 128;

const counted = (projects: number): string => (projects === 1 ? '1 project' : `${projects} projects`);

/** Offers to give copies in projects the content that an image of the library has now. Nothing if all have it. */
export function UpdateCopies({ image }: { image: StoredImage }) {
  const { uid } = useUser();
  const { data: projects } = useJoinedProjects();
  const [open, setOpen] = useState(false);
  const { data: copies = [], refetch } = useQuery({
    queryKey: ['outdated copies', uid, image.id, image.hash, projects?.items.map(({ id }) => id).join(' ')],
    queryFn: () => findOutdated(image, projects?.items ?? [], uid),
    enabled: projects !== undefined && image.place === 'image',
    gcTime: 0,
    staleTime: 0,
  });
  if (copies.length === 0) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<RefreshCw size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Update in {counted(copies.length)}…
      </Button>
      {open && (
        <UpdateDialog
          image={image}
          copies={copies}
          onClose={() => {
            setOpen(false);
            void refetch();
          }}
        />
      )}
    </>
  );
}

function UpdateDialog({
  image,
  copies,
  onClose,
}: {
  image: StoredImage;
  copies: readonly OutdatedCopy[];
  onClose: () => void;
}) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const chosen = copies.filter(({ project }) => !left.has(project.id));
  const update = async () => {
    setBusy(true);
    const failed: string[] = [];
    for (const one of chosen) {
      await updateImageCopy(image, one).catch((error: unknown) => {
        failed.push(`${one.project.name}: ${describeError(error)}`);
      });
    }
    if (failed.length > 0) toasts.show(failed.join(' '), { type: 'error', autoCloseTime: 10_000 });
    else toasts.show(`Updated in ${counted(chosen.length)}.`, { type: 'success' });
    onClose();
  };
  return (
    <Popup open onClose={onClose} title={`Update copies of ${image.path}`}>
      <p>Name, licence and credit stay as they are in each project; a crop made for the old picture goes.</p>
      <ul className={css.copies} aria-label="Copies in projects">
        {copies.map(({ project, copy }) => (
          <li key={project.id}>
            <Checkbox
              label={project.name}
              checked={!left.has(project.id)}
              onChange={(event) => {
                const next = new Set(left);
                if (event.currentTarget.checked) next.delete(project.id);
                else next.add(project.id);
                setLeft(next);
              }}
            />
            <div>
              {(
                [
                  [copy, 'Now'],
                  [image, 'With the new picture'],
                ] as const
              ).map(([{ url, w, h }, label]) => (
                <figure key={label}>
                  <img src={thumbnailUrl(url, SHOWN_PX * 2)} alt={label} />
                  <figcaption>
                    {label} · {w} × {h} px
                  </figcaption>
                </figure>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Not now
        </Button>
        <Button loading={busy} disabled={chosen.length === 0} onClick={() => void update()}>
          Update in {counted(chosen.length)}
        </Button>
      </PopupActions>
    </Popup>
  );
}
