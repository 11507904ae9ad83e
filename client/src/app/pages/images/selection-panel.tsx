import { Button, TextInput } from '@mantine/core';
import { FolderInput, Tag, Trash2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { cutText } from '../../../core/text/cut-text.ts';
import { changeImages, moveImages, movesInto } from '../../../data/images/edit.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import { MAX_TAG_LENGTH, MAX_TAGS } from '../../../data/images/schema.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { allFolders, allTags } from '../../images/select-images.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import type { Transfers } from '../../transfers/use-transfers.tsx';
import { DeleteImages } from './delete-images.tsx';
import css from './images.module.css';
import { TransferImages } from './transfer-images.tsx';

/** Reports how a change of several images went. */
async function told(work: Promise<void>, done: string): Promise<void> {
  try {
    await work;
    toasts.show(done, { type: 'success' });
  } catch (error) {
    tellFailure(error);
  }
}

/** Actions on several images at once. */
export function SelectionPanel({
  images,
  all,
  mayEdit,
  transfers,
  hidden,
  deleting,
  onDeleting,
  onClear,
}: {
  images: readonly StoredImage[];
  all: readonly StoredImage[];
  mayEdit: boolean;
  transfers: Transfers;
  /** Only the question before deleting shows. */
  hidden: boolean;
  deleting: boolean;
  onDeleting: (open: boolean) => void;
  onClear: () => void;
}) {
  const [folder, setFolder] = useState('');
  const [tag, setTag] = useState('');
  const [licence, setLicence] = useState('');
  const [credit, setCredit] = useState('');
  const folders = useId();
  const tags = useId();
  const count = `${images.length} images`;
  const addTag = () => {
    const word = cutText(tag.trim(), MAX_TAG_LENGTH);
    if (word === '') return;
    setTag('');
    void told(
      changeImages(
        images.filter((image) => !image.tags.includes(word)),
        (image) => ({ tags: [...image.tags, word].slice(0, MAX_TAGS) }),
      ),
      `“${word}” is on ${count} now.`,
    );
  };
  return (
    <>
      {!hidden && (
        <aside className={css.panel} aria-label="Chosen images">
          <header>
            <h2>{count}</h2>
            <button type="button" aria-label="Choose none" onClick={onClear}>
              <X size={16} aria-hidden />
            </button>
          </header>
          {mayEdit && (
            <>
              <form
                className={css.line}
                onSubmit={(event) => {
                  event.preventDefault();
                  void told(moveImages(movesInto(folder, images, all)), `${count} moved.`);
                  onClear();
                }}
              >
                <TextInput
                  size="xs"
                  label="Move to folder"
                  placeholder="The outermost folder"
                  list={folders}
                  value={folder}
                  onChange={(event) => setFolder(event.currentTarget.value)}
                />
                <Button size="xs" type="submit" leftSection={<FolderInput size={14} aria-hidden />}>
                  Move
                </Button>
              </form>
              <form
                className={css.line}
                onSubmit={(event) => {
                  event.preventDefault();
                  addTag();
                }}
              >
                <TextInput
                  size="xs"
                  label="Add a tag"
                  list={tags}
                  maxLength={MAX_TAG_LENGTH}
                  value={tag}
                  onChange={(event) => setTag(event.currentTarget.value)}
                />
                <Button size="xs" type="submit" variant="default" leftSection={<Tag size={14} aria-hidden />}>
                  Add
                </Button>
              </form>
              <form
                className={css.stack}
                onSubmit={(event) => {
                  event.preventDefault();
                  void told(
                    changeImages(images, {
                      ...(licence.trim() !== '' && { licence: licence.trim() }),
                      ...(credit.trim() !== '' && { credit: credit.trim() }),
                    }),
                    `${count} changed.`,
                  );
                }}
              >
                <TextInput
                  size="xs"
                  label="Licence"
                  placeholder="Leave as it is"
                  value={licence}
                  onChange={(event) => setLicence(event.currentTarget.value)}
                />
                <TextInput
                  size="xs"
                  label="Credit"
                  placeholder="Leave as it is"
                  value={credit}
                  onChange={(event) => setCredit(event.currentTarget.value)}
                />
                <Button
                  size="xs"
                  type="submit"
                  variant="default"
                  disabled={licence.trim() === '' && credit.trim() === ''}
                >
                  Set for {count}
                </Button>
              </form>
            </>
          )}
          <TransferImages images={images} mayEdit={mayEdit} transfers={transfers} />
          {mayEdit && (
            <Button
              size="xs"
              variant="subtle"
              color="var(--bad)"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => onDeleting(true)}
            >
              Delete {count}…
            </Button>
          )}
          <datalist id={folders}>
            {allFolders(all).map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <datalist id={tags}>
            {allTags(all).map((word) => (
              <option key={word} value={word} />
            ))}
          </datalist>
        </aside>
      )}
      <DeleteImages
        open={deleting}
        images={images}
        all={all}
        onClose={() => onDeleting(false)}
        onDone={() => {
          onDeleting(false);
          onClear();
        }}
      />
    </>
  );
}
