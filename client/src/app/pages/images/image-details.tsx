import { Button, TextInput } from '@mantine/core';
import { Copy, Crop, Download, RefreshCw, Trash2, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { folderOf, nameOf } from '../../../core/images/path.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import {
  changeImages,
  type ImageChange,
  moveImages,
  movesInto,
  renameImage,
} from '../../../data/images/edit.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import {
  MAX_CREDIT_LENGTH,
  MAX_LICENCE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
} from '../../../data/images/schema.ts';
import { ACCEPTED, fileSize } from '../../../data/images/upload/file-kind.ts';
import { uploads } from '../../../data/images/upload/uploads.ts';
import { shortDay } from '../../../ui/dates.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { CropDialog } from '../../images/crop-dialog.tsx';
import { FocusPicker } from '../../images/focus-picker.tsx';
import { allFolders, allTags } from '../../images/select-images.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import type { Transfers } from '../../transfers/use-transfers.tsx';
import { UseList, useImageUses } from './delete-images.tsx';
import css from './images.module.css';
import { TransferImages } from './transfer-images.tsx';
import { UpdateCopies } from './update-copies.tsx';

/** Licences offered; any other can be typed. */
const LICENCES = ['My own work', 'CC0 1.0', 'CC BY 4.0', 'CC BY-SA 4.0', 'CC BY 3.0', 'CC BY-NC 4.0'];

/** A field that is written when it is left, or with Enter. */
function SavedField({
  id,
  label,
  value,
  list,
  maxLength,
  onSave,
}: {
  id?: string;
  label: string;
  value: string;
  list?: string;
  maxLength: number;
  /** Rejects when the value cannot be: the old one comes back. */
  onSave: (value: string) => Promise<void>;
}) {
  const [text, setText] = useState<string>();
  const shown = text ?? value;
  const save = () => {
    if (text === undefined) return;
    if (text.trim() === value) {
      setText(undefined);
      return;
    }
    onSave(text.trim())
      .catch(tellFailure)
      .finally(() => setText(undefined));
  };
  return (
    <TextInput
      size="xs"
      {...(id !== undefined && { id })}
      label={label}
      list={list}
      maxLength={maxLength}
      value={shown}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(undefined);
      }}
    />
  );
}

/** Everything about one image, to see and, for whoever may, to change. */
export function ImageDetails({
  image,
  all,
  mayEdit,
  transfers,
  onClose,
  onDelete,
}: {
  image: StoredImage;
  all: readonly StoredImage[];
  mayEdit: boolean;
  transfers: Transfers;
  onClose: () => void;
  onDelete: () => void;
}) {
  const [asked, setAsked] = useState(false);
  const change = (next: ImageChange) => changeImages([image], next);
  const tell = (work: Promise<void>) => work.catch(tellFailure);
  return (
    <aside className={css.panel} aria-label={`About ${nameOf(image.path)}`}>
      <header>
        <h2>{nameOf(image.path)}</h2>
        <button type="button" aria-label="Close" onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <FocusPicker image={image} disabled={!mayEdit} onChange={(focus) => void tell(change({ focus }))} />
      <p className={css.facts}>
        {image.type === 'image/svg+xml' ? 'Drawing, sharp at any size' : `${image.w} × ${image.h} px`} ·{' '}
        {fileSize(image.bytes)}
        {image.createdAt > 0 && ` · ${shortDay(image.createdAt)}`}
      </p>
      <Tools image={image} mayEdit={mayEdit} onChange={(next) => void tell(change(next))} />
      {mayEdit ? <Fields image={image} all={all} /> : <Facts image={image} />}
      {asked ? (
        <Uses image={image} all={all} />
      ) : (
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          Where is it used?
        </Button>
      )}
      <TransferImages images={[image]} mayEdit={mayEdit} transfers={transfers} />
      {image.place === 'image' && <UpdateCopies image={image} />}
      {mayEdit && (
        <Button
          size="xs"
          variant="subtle"
          color="var(--bad)"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={onDelete}
        >
          Delete image…
        </Button>
      )}
    </aside>
  );
}

/** Fields of an image. */
function Fields({ image, all }: { image: StoredImage; all: readonly StoredImage[] }) {
  const folders = useId();
  const tags = useId();
  const licences = useId();
  const change = (next: ImageChange) => changeImages([image], next);
  return (
    <>
      <div className={css.stack}>
        <SavedField
          id="image-name"
          label="Name"
          value={nameOf(image.path)}
          maxLength={120}
          onSave={(name) => renameImage(image, name, all)}
        />
        <SavedField
          label="Folder"
          value={folderOf(image.path)}
          list={folders}
          maxLength={300}
          onSave={(folder) => moveImages(movesInto(folder, [image], all))}
        />
        <SavedField
          label="Tags, with commas"
          value={image.tags.join(', ')}
          list={tags}
          maxLength={MAX_TAGS * MAX_TAG_LENGTH}
          onSave={(text) => {
            const words = text.split(',').map((word) => cutText(word.trim(), MAX_TAG_LENGTH));
            return change({ tags: [...new Set(words.filter(Boolean))].slice(0, MAX_TAGS) });
          }}
        />
        <SavedField
          label="Licence"
          value={image.licence}
          list={licences}
          maxLength={MAX_LICENCE_LENGTH}
          onSave={(licence) => change({ licence })}
        />
        <SavedField
          label="Credit"
          value={image.credit}
          maxLength={MAX_CREDIT_LENGTH}
          onSave={(credit) => change({ credit })}
        />
      </div>
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
      <datalist id={licences}>
        {LICENCES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Facts about an image, for people who may not change them. */
function Facts({ image }: { image: StoredImage }) {
  const facts = [
    ['Folder', folderOf(image.path)],
    ['Tags', image.tags.join(', ')],
    ['Licence', image.licence],
    ['Credit', image.credit],
  ].filter(([, value]) => value !== '');
  if (facts.length === 0) return null;
  return (
    <dl className={css.known}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Buttons that change an image's picture, or take it elsewhere. */
function Tools({
  image,
  mayEdit,
  onChange,
}: {
  image: StoredImage;
  mayEdit: boolean;
  onChange: (change: ImageChange) => void;
}) {
  const [cropping, setCropping] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const replace = async (blob: File) => {
    const [id] = await uploads().add(image.place, [{ path: image.path, blob, replaces: image.id }]);
    const item = id === undefined ? undefined : await uploads().over(id);
    if (item?.state === 'failed') {
      toasts.show(item.message ?? 'The image could not be replaced.', {
        type: 'error',
        autoCloseTime: 8_000,
      });
    } else if (item) {
      const same = item.state === 'same';
      const replaced =
        image.place === 'image'
          ? 'Replaced. Copies in projects stay as they are until you update them.'
          : 'Replaced wherever it is used.';
      toasts.show(same ? 'This is the same picture.' : replaced, { type: 'success' });
    }
  };
  return (
    <>
      <div className={css.tools}>
        {mayEdit && (
          <>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Crop size={13} aria-hidden />}
              onClick={() => setCropping(true)}
            >
              {image.crop ? 'Change crop' : 'Crop'}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<RefreshCw size={13} aria-hidden />}
              onClick={() => file.current?.click()}
            >
              Replace
            </Button>
          </>
        )}
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Copy size={13} aria-hidden />}
          onClick={() => {
            void navigator.clipboard
              ?.writeText(image.path)
              .then(() => toasts.show('Copied: paste it into a cell.', { type: 'success' }));
          }}
        >
          Copy name
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          component="a"
          href={image.url}
          download={nameOf(image.path)}
          leftSection={<Download size={13} aria-hidden />}
        >
          Download
        </Button>
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label="Picture to put in its place"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (chosen) void replace(chosen);
        }}
      />
      <CropDialog
        open={cropping}
        image={image}
        onClose={() => setCropping(false)}
        onSave={(crop) => onChange({ crop })}
      />
    </>
  );
}

function Uses({ image, all }: { image: StoredImage; all: readonly StoredImage[] }) {
  const { uses, failure } = useImageUses([image], all, true);
  if (failure) return <Problem title={failure} />;
  if (!uses) return <p role="status">Looking through layouts and cards…</p>;
  if (uses.length === 0) return <p className={css.facts}>No layout and no card uses it.</p>;
  const shown = uses.filter(({ copy }) => !copy);
  const copies = uses.filter(({ copy }) => copy);
  return (
    <>
      {shown.length > 0 && <UseList uses={shown} />}
      {copies.length > 0 && <p className={css.facts}>Projects with a copy of their own:</p>}
      {copies.length > 0 && <UseList uses={copies} />}
    </>
  );
}
