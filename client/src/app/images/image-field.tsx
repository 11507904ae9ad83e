import { Button, TextInput } from '@mantine/core';
import { FolderSearch, Image, ImageOff, X } from 'lucide-react';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { isAddress, readReference, shownName } from '../../core/images/library.ts';
import { nameOf } from '../../core/images/path.ts';
import { isStoredHere } from '../../core/stored-file.ts';
import { thumbnailUrl } from '../../data/images/schema.ts';
import { knownLibrary, onLibrary } from '../../workers/sources/library.ts';
import { AccountNeeded } from '../trial/account-needed.tsx';
import css from './picker.module.css';
import { useMayChoose } from './use-may-choose.ts';

const ImagePicker = lazy(() =>
  import('./image-picker.tsx').then(({ ImagePicker: picker }) => ({ default: picker })),
);

/** An address that may be shown: people write them into cells. */
const shownAddress = (source: string): string | undefined =>
  /^(?:data:image\/|blob:)/i.test(source) || isStoredHere(source) ? source : undefined;

/** A small picture of what a source names. */
export function SourceThumbnail({ source }: { source: string }) {
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  const url = isAddress(source) ? shownAddress(source) : library.find(source)?.url;
  if (source === '') return <Image size={16} aria-hidden />;
  if (url === undefined) return <ImageOff size={16} aria-hidden />;
  return <img src={thumbnailUrl(url, 64)} alt="" loading="lazy" />;
}

/** The dialog, loaded when it is first opened. */
export function LazyImagePicker(props: {
  open: boolean;
  onClose: () => void;
  onPick: (reference: string) => void;
}) {
  const [wanted, setWanted] = useState(false);
  if (props.open && !wanted) setWanted(true);
  return wanted ? (
    <Suspense fallback={null}>
      <ImagePicker {...props} />
    </Suspense>
  ) : null;
}

/** An image by name or address: typed, or chosen from the library. What is chosen is shown by its name. */
export function ImageField({
  label,
  value,
  maxLength,
  onChange,
}: {
  label: string;
  value: string;
  maxLength: number;
  onChange: (source: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const mayChoose = useMayChoose();
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  const reference = readReference(value);
  const missing = value !== '' && !value.startsWith('=') && !isAddress(value) && !library.find(value);
  return (
    <div className={css.field}>
      <span className={css.chip}>
        <SourceThumbnail source={value} />
      </span>
      <TextInput
        size="xs"
        label={label}
        placeholder="Name or https://…"
        maxLength={maxLength}
        readOnly={reference !== undefined}
        title={reference ? shownName(value, library) : undefined}
        value={reference ? nameOf(shownName(value, library)) : value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {reference ? (
        <Button size="xs" variant="default" px={8} aria-label={`${label}: none`} onClick={() => onChange('')}>
          <X size={14} aria-hidden />
        </Button>
      ) : (
        <span />
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`Choose ${label.toLowerCase()}`}
        px={8}
        title="Choose from the library"
        disabled={!mayChoose}
        onClick={() => setOpen(true)}
      >
        <FolderSearch size={14} aria-hidden />
      </Button>
      {missing && <span className={css.note}>Not in the library: the card shows an empty frame.</span>}
      {!mayChoose && (
        <span className={css.note}>
          <AccountNeeded>To choose from pictures of your own needs an account.</AccountNeeded>
        </span>
      )}
      <LazyImagePicker open={open} onClose={() => setOpen(false)} onPick={onChange} />
    </div>
  );
}
