import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { ImagePlus, Search, Upload } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type LibraryKind, referenceTo } from '../../core/images/library.ts';
import { libraryStore, type StoredImage, useImageLibrary } from '../../data/images/library-store.ts';
import { uploads } from '../../data/images/upload/uploads.ts';
import { describeError } from '../../data/messages.ts';
import { useSession } from '../../data/session.ts';
import { EmptyState, Loading, Problem } from '../../ui/page.tsx';
import { Popup } from '../../ui/popups/popup.tsx';
import { ImageGrid } from './image-grid.tsx';
import css from './picker.module.css';
import { recentImages, rememberImage } from './recent-images.ts';
import { allFolders, selectImages } from './select-images.ts';
import { UploadDrop, uploadFiles, useFilePicker } from './upload-drop.tsx';
import { UploadPanel } from './upload-panel.tsx';

const GameIconsPane = lazy(() =>
  import('./game-icons-pane.tsx').then(({ GameIconsPane: pane }) => ({ default: pane })),
);

const TABS = [
  { value: 'image', label: 'Your images' },
  { value: 'stock', label: 'Stock' },
  { value: 'icons', label: 'Icons' },
];
/** Longer edge of the pictures, in CSS pixels. */
const THUMBNAIL_PX = 96;
const ANY = 'any';

interface PickerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Takes the reference to store. */
  readonly onPick: (reference: string) => void;
}

/** Chooses an image: from the library, the stock, the icons, or one that is uploaded here. */
export function ImagePicker({ open, onClose, onPick }: PickerProps) {
  const [tab, setTab] = useState<LibraryKind | 'icons'>('image');
  const signedIn = useSession() !== null;
  const { pathname, search } = useLocation();
  const pick = (image: StoredImage) => {
    rememberImage(`${image.shelf}:${image.id}`);
    onPick(referenceTo(image));
    onClose();
  };
  const pickId = async (id: string) => {
    const { images } = await libraryStore('image').first();
    const image = images.find((one) => one.id === id) ?? (await arrival(id));
    if (image) pick(image);
  };
  if (!signedIn) {
    return (
      <Popup open={open} onClose={onClose} title="Choose an image">
        <EmptyState
          icon={<ImagePlus size={26} />}
          title="Pictures of your own need an account"
          action={
            <Button component={Link} to={`/login?to=${encodeURIComponent(pathname + search)}`}>
              Log in
            </Button>
          }
        >
          What you draw stays in this browser, and you come back to it. The web address of a picture works
          without an account.
        </EmptyState>
      </Popup>
    );
  }
  return (
    <Popup open={open} onClose={onClose} title="Choose an image" width={900}>
      <SegmentedControl
        aria-label="Where from"
        data={TABS}
        value={tab}
        onChange={(value) => setTab(value as LibraryKind | 'icons')}
      />
      {tab === 'icons' ? (
        <Suspense fallback={<Loading label="Loading icons" />}>
          <GameIconsPane onAdded={(id) => void pickId(id)} />
        </Suspense>
      ) : (
        <LibraryPane key={tab} shelf={tab} onPick={pick} onUploaded={(id) => void pickId(id)} />
      )}
    </Popup>
  );
}

/** An image that was just added, once the library tells of it. */
function arrival(id: string): Promise<StoredImage | undefined> {
  return new Promise((resolve) => {
    const store = libraryStore('image');
    const stop = store.subscribe(() => {
      const found = store.snapshot().images.find((one) => one.id === id);
      if (!found) return;
      stop();
      resolve(found);
    });
  });
}

function LibraryPane({
  shelf,
  onPick,
  onUploaded,
}: {
  shelf: LibraryKind;
  onPick: (image: StoredImage) => void;
  onUploaded: (id: string) => void;
}) {
  const { images, ready, error } = useImageLibrary(shelf);
  const [text, setText] = useState('');
  const [folder, setFolder] = useState(ANY);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const words = useDeferredValue(text);
  const [recent] = useState(recentImages);
  const aim = { shelf, folder: folder === ANY ? '' : folder };
  // One file that is uploaded here is the one that is wanted.
  const follow = (ids: readonly string[]) => {
    const [id] = ids;
    if (ids.length !== 1 || id === undefined) return;
    void uploads()
      .over(id)
      .then(({ image }) => image !== undefined && onUploaded(image));
  };
  const picker = useFilePicker((files) => void uploadFiles(files, aim).then(follow));
  const shown = useMemo(() => {
    if (folder === ANY && words.trim() === '') return everything(images, recent);
    return selectImages(images, { folder: folder === ANY ? '' : folder, text: words, tag: '', sort: 'name' });
  }, [images, folder, words, recent]);
  useEffect(() => {
    setSelected((old) => new Set([...old].filter((id) => shown.some((image) => image.id === id))));
  }, [shown]);
  const chosen = shown.find(({ id }) => selected.has(id));
  const mine = shelf === 'image';
  const body = (
    <div className={css.pane}>
      {error && <Problem title={describeError(error)} />}
      <search className={css.bar} data-two>
        <TextInput
          size="sm"
          label="Search"
          placeholder="Name, tag or credit"
          leftSection={<Search size={15} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label="Folder"
          value={folder}
          data={[
            { value: ANY, label: 'All, used last first' },
            { value: '', label: 'The outermost' },
            ...allFolders(images).map((path) => ({ value: path, label: path })),
          ]}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        {mine && (
          <Button
            variant="default"
            leftSection={<Upload size={15} aria-hidden />}
            onClick={picker.chooseFiles}
          >
            Upload
          </Button>
        )}
      </search>
      {mine && <UploadPanel collapsed />}
      <div className={css.scroll}>
        {!ready && !error && <Loading label="Loading images" />}
        {ready && images.length === 0 && (
          <EmptyState
            icon={<ImagePlus size={26} />}
            title={mine ? 'No images yet' : 'No stock pictures yet'}
            action={mine && <Button onClick={picker.chooseFiles}>Upload one</Button>}
          >
            {mine
              ? 'Drop a file here, paste one, or take an icon.'
              : 'Admins of this server can add packs of pictures for everybody.'}
          </EmptyState>
        )}
        {images.length > 0 && shown.length === 0 && <p className={css.count}>No image matches.</p>}
        {shown.length > 0 && (
          <ImageGrid
            images={shown}
            size={THUMBNAIL_PX}
            label="Images to choose from"
            multiple={false}
            selected={selected}
            onSelect={setSelected}
            onOpen={onPick}
          />
        )}
      </div>
      <footer className={css.foot}>
        <p>
          {chosen
            ? chosen.type === 'image/svg+xml'
              ? `${chosen.path}, a drawing`
              : `${chosen.path}, ${chosen.w} × ${chosen.h} px`
            : 'Cards keep the image when it is renamed or moved.'}
        </p>
        <Button disabled={!chosen} onClick={() => chosen && onPick(chosen)}>
          Use image
        </Button>
      </footer>
    </div>
  );
  return mine ? (
    <UploadDrop aim={aim} onStarted={follow}>
      {picker.fields}
      {body}
    </UploadDrop>
  ) : (
    body
  );
}

/** All images, those picked last in front. */
function everything(images: readonly StoredImage[], recent: readonly string[]): readonly StoredImage[] {
  const place = new Map(recent.map((key, i) => [key, i]));
  const rank = ({ shelf, id }: StoredImage) => place.get(`${shelf}:${id}`) ?? recent.length;
  return [...images].sort((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt);
}
