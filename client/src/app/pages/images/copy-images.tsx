import { Button, NativeSelect } from '@mantine/core';
import { BookCopy, FolderInput } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../../data/account/session.ts';
import { copyImages } from '../../../data/images/copies.ts';
import { type ImagePlace, imagesOf, projectOfPlace } from '../../../data/images/library-location.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import { edits, roleOf } from '../../../data/project/members.ts';
import { useJoinedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { projectChoices } from '../projects/project-list.ts';

const counted = (count: number): string => (count === 1 ? 'The image is' : `${count} images are`);

async function copyTo(to: ImagePlace, where: string, images: readonly StoredImage[]): Promise<void> {
  const [first] = images;
  if (!first) return;
  const ids = images.map(({ id }) => id);
  const { size } = await copyImages(first.place, to, ids);
  toasts.show(`${counted(size)} in ${where} now.`, { type: 'success' });
}

/** Copies images: those of the library into a project, those of a project into the library or another project. */
export function CopyImages({ images }: { images: readonly StoredImage[] }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const place = images[0]?.place;
  if (place === undefined || place === 'stock') return null;
  const fromProject = projectOfPlace(place) !== undefined;
  const toLibrary = async () => {
    setBusy(true);
    try {
      await copyTo('image', 'your library', images);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {fromProject && (
        <Button
          size="xs"
          variant="default"
          loading={busy}
          leftSection={<BookCopy size={14} aria-hidden />}
          onClick={() => void toLibrary()}
        >
          Copy to your library
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<FolderInput size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {fromProject ? 'Use in another project…' : 'Use in a project…'}
      </Button>
      {open && <UseInProject images={images} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks which project gets copies of images. */
function UseInProject({ images, onClose }: { images: readonly StoredImage[]; onClose: () => void }) {
  const { uid } = useUser();
  const { data, error } = useJoinedProjects();
  const [chosen, setChosen] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const from = images[0] && projectOfPlace(images[0].place);
  const projects = (data?.items ?? []).filter(
    (one) => one.trashedAt === 0 && one.id !== from && edits(roleOf(one, uid)),
  );
  const target = projects.find(({ id }) => id === chosen) ?? projects[0];
  const what = images.length === 1 ? (images[0]?.path ?? '') : `${images.length} images`;
  const copy = async () => {
    if (!target) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await copyTo(imagesOf(target), target.name, images);
      onClose();
    } catch (reason) {
      setFailure(describeError(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open onClose={onClose} title={`Use ${what} in ${from === undefined ? 'a' : 'another'} project`}>
      {(error || failure) && <Problem title={failure ?? describeError(error)} />}
      {!data && !error && <Loading label="Loading projects" />}
      {data && projects.length === 0 && (
        <p>
          There is no {from !== undefined && 'other '}project that you may change.{' '}
          <Link to="/decks">Make one first.</Link>
        </p>
      )}
      {projects.length > 0 && (
        <NativeSelect
          label="Project"
          description={
            from === undefined
              ? 'It gets a copy, which all its members see. What you change in your library stays in your library.'
              : 'It gets a copy, which all its members see. What is changed here stays here.'
          }
          value={target?.id ?? ''}
          data={projectChoices(projects)}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={!target} onClick={() => void copy()}>
          Copy
        </Button>
      </PopupActions>
    </Popup>
  );
}
