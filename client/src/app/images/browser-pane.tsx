import { Button } from '@mantine/core';
import { ImagePlus, Trash2, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { referenceTo } from '../../core/images/library.ts';
import {
  addPicture,
  asLibraryImage,
  bytesOf,
  deletePicture,
  MAX_PICTURE_BYTES,
  type Picture,
  restorePicture,
} from '../../data/boards/pictures.ts';
import { usePictures } from '../../data/boards/use-pictures.ts';
import type { FoundFile } from '../../data/images/upload/dropped-files.ts';
import { megabytes } from '../../data/images/upload/file-kind.ts';
import { storedPath } from '../../data/images/upload/upload-plan.ts';
import { prepare } from '../../data/images/upload/uploads.ts';
import { describeError } from '../../data/server/messages.ts';
import { EmptyState, Loading, Problem } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { tellFailure } from '../shell/tell-failure.ts';
import { ImageGrid } from './image-grid.tsx';
import css from './picker.module.css';
import { FileDrop, useFilePicker } from './upload-drop.tsx';

/** Longer edge of the pictures, in CSS pixels. */
const THUMBNAIL_PX = 96;

async function keep({ path, file }: FoundFile): Promise<Picture> {
  const content = await prepare(file);
  return addPicture(storedPath(path, content.ending, content.converted), content);
}

async function remove(picture: Picture): Promise<void> {
  await deletePicture(picture.id);
  toasts.show(`${picture.path} is deleted from this browser.`, {
    actions: [{ buttonText: 'Undo', function: () => void restorePicture(picture).catch(tellFailure) }],
    autoCloseTime: 8_000,
  });
}

/** Files that are kept in this browser one after the other, and those that could not be. */
function useKeeping(onKept: (picture: Picture) => void) {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const take = async (files: readonly FoundFile[]) => {
    setBusy(true);
    setFaults([]);
    let last: Picture | undefined;
    for (const file of files) {
      const kept = await keep(file).catch((reason: unknown) => {
        setFaults((known) => [...known, `${file.path}: ${describeError(reason)}`]);
        return undefined;
      });
      last = kept ?? last;
    }
    setBusy(false);
    // One file that is chosen here is the one that is wanted.
    if (files.length === 1 && last) onKept(last);
  };
  return { busy, faults, take };
}

/** Pictures that lie in this browser, for boards that do. */
export function BrowserPane({ onPick }: { onPick: (reference: string) => void }) {
  const { data, error } = usePictures();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const pick = (picture: Pick<Picture, 'id' | 'path'>) => onPick(referenceTo({ shelf: 'image', ...picture }));
  const { busy, faults, take } = useKeeping(pick);
  const picker = useFilePicker((files) => void take(files));
  const images = useMemo(() => data?.map(asLibraryImage) ?? [], [data]);
  const chosen = data?.find(({ id }) => selected.has(id));
  const taken = data ? bytesOf(data) : 0;
  const add = (
    <Button
      variant="default"
      loading={busy}
      leftSection={<Upload size={15} aria-hidden />}
      onClick={picker.chooseFiles}
    >
      Add pictures
    </Button>
  );
  return (
    <FileDrop label="Drop to keep in this browser" onFiles={take}>
      {picker.fields}
      <div className={css.pane}>
        {error && (
          <Problem title="This browser keeps no pictures.">
            {describeError(error)} Private windows of some browsers keep nothing.
          </Problem>
        )}
        {faults.length > 0 && <Problem title={faults.join(' ')} />}
        <div className={css.foot}>
          <p>
            These stay on this machine, {megabytes(taken)} of {megabytes(MAX_PICTURE_BYTES)}. They become
            images of the project that the board is saved to.
          </p>
          {images.length > 0 && add}
        </div>
        <div className={css.scroll}>
          {!data && !error && <Loading label="Loading pictures" />}
          {data?.length === 0 && (
            <EmptyState icon={<ImagePlus size={26} />} title="No pictures yet" action={add}>
              Drop a file here, paste one, or choose it.
            </EmptyState>
          )}
          {images.length > 0 && (
            <ImageGrid
              images={images}
              size={THUMBNAIL_PX}
              label="Pictures to choose from"
              multiple={false}
              selected={selected}
              onSelect={setSelected}
              onOpen={pick}
            />
          )}
        </div>
        <footer className={css.foot}>
          <p>{chosen && `${chosen.path}, ${chosen.w} × ${chosen.h} px`}</p>
          <div className={css.choices}>
            {chosen && (
              <Button
                variant="default"
                leftSection={<Trash2 size={15} aria-hidden />}
                onClick={() => void remove(chosen).catch(tellFailure)}
              >
                Delete
              </Button>
            )}
            <Button disabled={!chosen} onClick={() => chosen && pick(chosen)}>
              Use picture
            </Button>
          </div>
        </footer>
      </div>
    </FileDrop>
  );
}
