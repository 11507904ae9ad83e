import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Folder as FolderIcon, FolderPen, FolderUp, ImagePlus, Images, Search, Upload } from 'lucide-react';
import { Fragment, type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { cleanPath, folderOf, nameOf } from '../../../core/images/path.ts';
import { type ImagePlace, projectOfPlace } from '../../../data/images/library-location.ts';
import { type StoredImage, useImageLibrary } from '../../../data/images/library-store.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { ImageGrid } from '../../images/image-grid.tsx';
import {
  allTags,
  type Folder,
  foldersIn,
  ICON_SIZES,
  SORT_ORDERS,
  selectImages,
} from '../../images/select-images.ts';
import { UploadDrop, uploadFiles, useFilePicker } from '../../images/upload-drop.tsx';
import { UploadPanel } from '../../images/upload-panel.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { beginDrag } from '../../transfers/drag.ts';
import { useTransfers } from '../../transfers/use-transfers.tsx';
import { WhoSees } from '../../transfers/who-sees.tsx';
import { ImageDetails } from './image-details.tsx';
import css from './images.module.css';
import { RenameFolder } from './rename-folder.tsx';
import { SelectionPanel } from './selection-panel.tsx';
import { thingsOfImages } from './transfer-images.tsx';

/** `/images/*` */
export function Component() {
  const { '*': rest = '' } = useParams();
  return (
    <ImageCollection
      place="image"
      folder={cleanPath(rest)}
      address={imagesAddress}
      title="Images"
      lead="Your art across projects, in folders. What a project shows of it is copied there."
      whoSees={<WhoSees project={undefined} />}
    />
  );
}

/** Address of a folder of one's own library. */
const imagesAddress = (folder: string): string =>
  folder === '' ? '/images' : `/images/${folder.split('/').map(encodeURIComponent).join('/')}`;

function Crumbs({
  address,
  folder,
  top,
}: {
  address: (folder: string) => string;
  folder: string;
  top: string;
}) {
  const parts = folder.split('/');
  return (
    <nav aria-label="Folders" className={css.crumbs}>
      <Link to={address('')}>{top}</Link>
      {parts.map((part, i) => {
        const path = parts.slice(0, i + 1).join('/');
        return (
          <Fragment key={path}>
            <span aria-hidden>/</span>
            <Link to={address(path)} aria-current={path === folder ? 'page' : undefined}>
              {part}
            </Link>
          </Fragment>
        );
      })}
    </nav>
  );
}

/** The way up from a folder, and what can be done with all of it. */
function FolderBar({
  onRename,
  ...crumbs
}: Parameters<typeof Crumbs>[0] & {
  onRename?: () => void;
}) {
  return (
    <div className={css.top}>
      <Crumbs {...crumbs} />
      {onRename && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<FolderPen size={15} aria-hidden />}
          onClick={onRename}
        >
          Rename or move folder
        </Button>
      )}
    </div>
  );
}

/** The folders directly in a folder. */
function FolderList({
  folders,
  address,
}: {
  folders: readonly Folder[];
  address: (folder: string) => string;
}) {
  return (
    <ul className={css.folders} aria-label="Folders in here">
      {folders.map(({ path, count }) => (
        <li key={path}>
          <Link to={address(path)}>
            <FolderIcon size={20} aria-hidden />
            <span>{nameOf(path)}</span>
            <b>{count}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Search, tag, order and size of the images. */
function SearchBar({
  folder,
  text,
  tag,
  tags,
  sort,
  size,
  onText,
  onTag,
  onSort,
  onSize,
  onSized,
}: {
  folder: string;
  text: string;
  tag: string;
  tags: readonly string[];
  sort: string;
  /** In CSS pixels. */
  size: number;
  onText: (text: string) => void;
  onTag: (tag: string) => void;
  onSort: (by: string) => void;
  onSize: (size: number) => void;
  /** The slider was let go. */
  onSized: () => void;
}) {
  return (
    <search className={css.bar}>
      <TextInput
        size="sm"
        label="Search"
        leftSection={<Search size={15} aria-hidden />}
        placeholder={folder === '' ? 'Name, tag or credit' : `In ${nameOf(folder)} and below`}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <NativeSelect
        label="Tag"
        value={tag}
        data={[{ value: '', label: 'Any' }, ...tags]}
        onChange={(event) => onTag(event.currentTarget.value)}
      />
      <NativeSelect
        label="Sort by"
        value={sort}
        data={[...SORT_ORDERS]}
        onChange={(event) => onSort(event.currentTarget.value)}
      />
      <label className={css.size}>
        Picture size
        <input
          type="range"
          min={ICON_SIZES.min}
          max={ICON_SIZES.max}
          step={2}
          value={size}
          onChange={(event) => onSize(Number(event.currentTarget.value))}
          onPointerUp={onSized}
          onKeyUp={onSized}
        />
      </label>
    </search>
  );
}

/** One folder of a place: inner folders, images, what can be done with them, and uploads. */
export function ImageCollection({
  place,
  folder,
  address,
  title,
  lead,
  mayEdit = true,
  above,
  whoSees,
  note,
}: {
  place: ImagePlace;
  folder: string;
  /** Address of the page of a folder. */
  address: (folder: string) => string;
  title: string;
  lead: string;
  /** Images can be added, changed and deleted. */
  mayEdit?: boolean;
  /** Above the title, such as the way back. */
  above?: ReactNode;
  /** Above the images: who sees them. */
  whoSees?: ReactNode;
  /** Above the images, such as why nothing can be changed. */
  note?: ReactNode;
}) {
  const { images, ready, error, unreadable } = useImageLibrary(place);
  const { userObject, save } = useUserObject();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [tag, setTag] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const [size, setSize] = useState<number>();
  const words = useDeferredValue(text);
  const sort = userObject.globalSortImagesBy;
  const iconSize = size ?? clampSize(Number.parseFloat(userObject.globalImageIconSize));
  const shown = useMemo(
    () => selectImages(images, { folder, text: words, tag, sort }),
    [images, folder, words, tag, sort],
  );
  const folders = useMemo(() => foldersIn(images, folder), [images, folder]);
  const tags = useMemo(() => allTags(images), [images]);
  const chosen = useMemo(() => shown.filter(({ id }) => selected.has(id)), [shown, selected]);
  const transfers = useTransfers(() => setSelected(new Set()));
  const aim = { shelf: place, folder };
  const picker = useFilePicker((files) => void uploadFiles(files, aim));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder has other images
  useEffect(() => setSelected(new Set()), [folder, place]);

  const searching = words.trim() !== '' || tag !== '';
  const empty = ready && shown.length === 0 && (searching || folders.length === 0);
  const add = mayEdit && (
    <>
      <Button
        variant="default"
        leftSection={<FolderUp size={16} aria-hidden />}
        onClick={picker.chooseFolder}
      >
        Upload a folder
      </Button>
      <Button leftSection={<Upload size={16} aria-hidden />} onClick={picker.chooseFiles}>
        Upload images
      </Button>
    </>
  );
  useThingTitle(folder === '' ? undefined : nameOf(folder));
  return (
    <Page
      title={folder === '' ? title : nameOf(folder)}
      lead={folder === '' ? lead : undefined}
      actions={add}
      above={above}
    >
      {whoSees}
      {note}
      {mayEdit && picker.fields}
      <UploadDrop aim={aim} off={!mayEdit}>
        {error && <Problem title={describeError(error)}>Reload the page to try again.</Problem>}
        <UnreadableNotices list={unreadable} mayEdit={mayEdit} />
        {mayEdit && <UploadPanel />}
        {folder !== '' && (
          <FolderBar
            address={address}
            folder={folder}
            top={title}
            {...(mayEdit && images.length > 0 && { onRename: () => setRenaming(true) })}
          />
        )}
        <SearchBar
          folder={folder}
          text={text}
          tag={tag}
          tags={tags}
          sort={sort}
          size={iconSize}
          onText={setText}
          onTag={setTag}
          onSort={(by) => void save({ globalSortImagesBy: by })}
          onSize={setSize}
          onSized={() => size !== undefined && void save({ globalImageIconSize: `${size}px` })}
        />
        <div className={css.columns} data-panel={chosen.length > 0 || undefined}>
          <div className={css.main}>
            {!ready && !error && <Waiting size={iconSize} />}
            {ready && !searching && folders.length > 0 && <FolderList folders={folders} address={address} />}
            {empty && (
              <Nothing
                searching={searching}
                folder={folder}
                library={images}
                mayEdit={mayEdit}
                ofProject={projectOfPlace(place) !== undefined}
                onClear={() => {
                  setText('');
                  setTag('');
                }}
                onUpload={picker.chooseFiles}
                up={address(folderOf(folder))}
              />
            )}
            {shown.length > 0 && (
              <>
                <p className={css.count} role="status">
                  {shown.length === 1 ? '1 image' : `${shown.length} images`}
                  {searching ? ' found' : ''}
                  {chosen.length > 1 ? `, ${chosen.length} chosen` : ''}
                </p>
                <ImageGrid
                  images={shown}
                  size={iconSize}
                  label={`Images in ${folder === '' ? 'the outermost folder' : folder}`}
                  selected={selected}
                  onSelect={setSelected}
                  onDrag={(event, image) => {
                    const dragged = selected.has(image.id) ? chosen : [image];
                    const things = thingsOfImages(dragged, mayEdit);
                    if (things) beginDrag(event, things, event.currentTarget);
                    else event.preventDefault();
                  }}
                  onOpen={(image) => window.open(image.url, '_blank', 'noopener')}
                  onKey={(key) => {
                    if (key === 'Delete' && mayEdit && chosen.length > 0) setDeleting(true);
                    if (key === 'Escape') setSelected(new Set());
                    if (key === 'Backspace' && folder !== '') void navigate(address(folderOf(folder)));
                    if (key === 'F2') document.getElementById('image-name')?.focus();
                  }}
                />
              </>
            )}
          </div>
          {chosen.length === 1 && chosen[0] && (
            <ImageDetails
              key={chosen[0].id}
              image={chosen[0]}
              all={images}
              mayEdit={mayEdit}
              transfers={transfers}
              onClose={() => setSelected(new Set())}
              onDelete={() => setDeleting(true)}
            />
          )}
          {(chosen.length > 1 || deleting) && (
            <SelectionPanel
              images={chosen}
              all={images}
              mayEdit={mayEdit}
              transfers={transfers}
              hidden={chosen.length < 2}
              deleting={deleting}
              onDeleting={setDeleting}
              onClear={() => setSelected(new Set())}
            />
          )}
        </div>
      </UploadDrop>
      <RenameFolder
        open={renaming}
        folder={folder}
        all={images}
        onClose={() => setRenaming(false)}
        onDone={(to) => void navigate(address(to))}
      />
      {transfers.windows}
    </Page>
  );
}

function clampSize(px: number): number {
  const size = Number.isFinite(px) ? px : ICON_SIZES.min;
  return Math.min(ICON_SIZES.max, Math.max(ICON_SIZES.min, size));
}

function Waiting({ size }: { size: number }) {
  return (
    <div className={css.waiting}>
      <Loading label="Loading images" />
      {Array.from({ length: 12 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes are all alike
        <Placeholder key={i} width={Math.max(92, size)} height={size + 12} radius={6} />
      ))}
    </div>
  );
}

function Nothing({
  searching,
  folder,
  library,
  mayEdit,
  ofProject,
  onClear,
  onUpload,
  up,
}: {
  searching: boolean;
  folder: string;
  library: readonly StoredImage[];
  mayEdit: boolean;
  ofProject: boolean;
  onClear: () => void;
  onUpload: () => void;
  up: string;
}) {
  if (searching) {
    return (
      <EmptyState
        icon={<Search size={26} />}
        title="No image matches"
        action={<Button onClick={onClear}>Show all again</Button>}
      >
        Names, tags and credits were searched{folder === '' ? '.' : `, in ${folder} and below.`}
      </EmptyState>
    );
  }
  if (folder !== '' && library.length > 0) {
    return (
      <EmptyState
        icon={<Images size={26} />}
        title="This folder is empty"
        action={
          <>
            {mayEdit && <Button onClick={onUpload}>Upload into it</Button>}
            <Button component={Link} to={up} variant="default">
              To the folder above
            </Button>
          </>
        }
      >
        A folder exists as long as an image is in it. What you upload here makes it again.
      </EmptyState>
    );
  }
  if (!mayEdit) {
    return (
      <EmptyState icon={<Images size={26} />} title="No images yet">
        What people who edit the project add to it, or show on its cards, lies here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<ImagePlus size={26} />}
      title="Drop your art here"
      action={<Button onClick={onUpload}>Choose images</Button>}
    >
      Whole folders too: they stay folders. You can also paste a picture. Cards find an image by its name, so
      a column with <code>dragon.png</code> is enough.
      {ofProject && ' What its cards show of your library is copied here by itself.'}
    </EmptyState>
  );
}
