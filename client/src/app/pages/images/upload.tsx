import { Button, NativeSelect, TextInput } from '@mantine/core';
import { FolderUp, Upload } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { MAX_IMAGE_PIXELS } from '../../../core/images/limits.ts';
import { cleanPath } from '../../../core/images/path.ts';
import type { ImagePlace } from '../../../data/images/library-location.ts';
import { useImageLibrary } from '../../../data/images/library-store.ts';
import { MAX_CREDIT_LENGTH, MAX_LICENCE_LENGTH } from '../../../data/images/schema.ts';
import { MAX_IMAGE_BYTES, megabytes } from '../../../data/images/upload/file-kind.ts';
import type { IfTaken } from '../../../data/images/upload/upload-item.ts';
import { Page } from '../../../ui/page/page.tsx';
import { allFolders } from '../../images/select-images.ts';
import { UploadDrop, uploadFiles, useFilePicker } from '../../images/upload-drop.tsx';
import { UploadPanel } from '../../images/upload-panel.tsx';
import css from './images.module.css';

const IF_TAKEN: readonly { value: IfTaken; label: string }[] = [
  { value: 'keep-both', label: 'Keep both, with a number' },
  { value: 'replace', label: 'Replace the old one everywhere' },
  { value: 'skip', label: 'Leave the new one out' },
];

/** `/upload` */
export function Component() {
  return (
    <Page
      title="Upload images"
      lead="Hundreds of files and whole folders at once. You can go on working; closing the page only pauses it."
      actions={
        <Button component={Link} to="/images" variant="default">
          To your images
        </Button>
      }
    >
      <UploadForm shelf="image" />
    </Page>
  );
}

/** Destination and details of uploads, the drop area and their progress. */
export function UploadForm({ shelf }: { shelf: ImagePlace }) {
  const { images } = useImageLibrary(shelf);
  const [folder, setFolder] = useState('');
  const [ifTaken, setIfTaken] = useState<IfTaken>('keep-both');
  const [licence, setLicence] = useState('');
  const [credit, setCredit] = useState('');
  const folders = useId();
  const aim = {
    shelf,
    folder: cleanPath(folder),
    ifTaken,
    details: {
      ...(licence.trim() !== '' && { licence: licence.trim() }),
      ...(credit.trim() !== '' && { credit: credit.trim() }),
    },
  };
  const picker = useFilePicker((files) => void uploadFiles(files, aim));
  return (
    <UploadDrop aim={aim}>
      {picker.fields}
      <div className={css.big}>
        <h2>Drop files and folders here</h2>
        <p>
          PNG, JPEG, WebP and GIF stay as they are; SVG, AVIF and BMP become PNG. Up to{' '}
          {megabytes(MAX_IMAGE_BYTES)} and {MAX_IMAGE_PIXELS / 1e6} megapixels an image. A picture you have
          already is not sent twice.
        </p>
        <div className={css.tools}>
          <Button leftSection={<Upload size={16} aria-hidden />} onClick={picker.chooseFiles}>
            Choose files
          </Button>
          <Button
            variant="default"
            leftSection={<FolderUp size={16} aria-hidden />}
            onClick={picker.chooseFolder}
          >
            Choose a folder
          </Button>
        </div>
      </div>
      <div className={css.choices}>
        <TextInput
          size="sm"
          label="Into the folder"
          placeholder="The outermost folder"
          list={folders}
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        <NativeSelect
          label="If a name is taken"
          value={ifTaken}
          data={[...IF_TAKEN]}
          onChange={(event) => setIfTaken(event.currentTarget.value as IfTaken)}
        />
        <TextInput
          size="sm"
          label="Licence of all of them"
          placeholder="Such as CC BY 4.0"
          maxLength={MAX_LICENCE_LENGTH}
          value={licence}
          onChange={(event) => setLicence(event.currentTarget.value)}
        />
        <TextInput
          size="sm"
          label="Credit"
          placeholder="Who made them"
          maxLength={MAX_CREDIT_LENGTH}
          value={credit}
          onChange={(event) => setCredit(event.currentTarget.value)}
        />
      </div>
      <datalist id={folders}>
        {allFolders(images).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <UploadPanel />
    </UploadDrop>
  );
}
