import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { ImagePlus, Search, Upload } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { referenceTo } from '../../core/images/library.ts';
import { useSession } from '../../data/account/session.ts';
import { copyImages } from '../../data/images/copies.ts';
import { type ImagePlace, imagesOf, projectOfPlace } from '../../data/images/library-location.ts';
import { libraryStore, type StoredImage, useImageLibrary } from '../../data/images/library-store.ts';
import { uploads } from '../../data/images/upload/uploads.ts';
import { describeError } from '../../data/server/messages.ts';
import { EmptyState, Loading, Problem } from '../../ui/page/page.tsx';
import { Popup } from '../../ui/popups/popup.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { BrowserPane } from './browser-pane.tsx';
import { useBrowserPictures } from './browser-pictures.ts';
import { ImageGrid } from './image-grid.tsx';
import css from './picker.module.css';
import { type ProjectPlace, useProjectPlace } from './project-place.ts';
import { recentImages, rememberImage } from './recent-images.ts';
import { allFolders, selectImages } from './select-images.ts';
import { UploadDrop, uploadFiles, useFilePicker } from './upload-drop.tsx';
import { UploadPanel } from './upload-panel.tsx';

const GameIconsPane = lazy(() =>
  import('./game-icons-pane.tsx').then(({ GameIconsPane: pane }) => ({ default: pane })),
);

const ICONS = 'icons';
const BROWSER = 'browser';
const TABS = [
  { value: 'image', label: 'Your images' },
  { value: 'stock', label: 'Stock' },
  { value: ICONS, label: 'Icons' },
];
type Tab = ImagePlace | typeof ICONS | typeof BROWSER;
/** Longer edge of the pictures, in CSS pixels. */
const THUMBNAIL_PX = 96;
const ANY = 'any';

interface PickerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Takes the reference to store. */
  readonly onPick: (reference: string) => void;
}

/**
 * The image as the project has it: an image of the library is copied into it. Where that fails it is said, and the card shows
 * the library's to its owner.
 */
async function inProject(image: StoredImage, { project, mayEdit }: ProjectPlace): Promise<string> {
  if (image.place !== 'image' || !mayEdit) return referenceTo(image);
  try {
    const copies = await copyImages('image', imagesOf(project), [image.id]);
    return referenceTo({ ...image, id: copies.get(image.id) ?? image.id });
  } catch (error) {
    toasts.show(
      `The image could not be copied into the project; others do not see it. ${describeError(error)}`,
      {
        type: 'error',
        autoCloseTime: 10_000,
      },
    );
    return referenceTo(image);
  }
}

/** Chooses an image: of the project, the library, the stock, the icons, or one that is uploaded here. */
export function ImagePicker({ open, onClose, onPick }: PickerProps) {
  const around = useProjectPlace();
  const ofProject = around && imagesOf(around.project);
  const signedIn = useSession() !== null;
  const { pathname, search } = useLocation();
  const inBrowser = useBrowserPictures();
  const tabs = [
    ...(ofProject ? [{ value: ofProject, label: 'This project' }] : []),
    ...(inBrowser ? [{ value: BROWSER, label: 'This browser' }] : []),
    ...TABS,
  ];
  const [tab, setTab] = useState<Tab>('image');
  // Chosen when it opens: images that arrive later change nothing under one's hand.
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    const filled = ofProject !== undefined && libraryStore(ofProject).snapshot().images.length > 0;
    if (open) setTab(filled ? ofProject : inBrowser ? BROWSER : 'image');
  }
  const pick = async (image: StoredImage) => {
    rememberImage(image);
    onPick(around ? await inProject(image, around) : referenceTo(image));
    onClose();
  };
  const pickId = async (place: ImagePlace, id: string) => {
    const { images } = await libraryStore(place).first();
    const image = images.find((one) => one.id === id) ?? (await arrival(place, id));
    if (image) await pick(image);
  };
  const pickLocal = (reference: string) => {
    onPick(reference);
    onClose();
  };
  if (!signedIn && inBrowser) {
    return (
      <Popup open={open} onClose={onClose} title="Choose a picture" width={900}>
        <BrowserPane onPick={pickLocal} />
      </Popup>
    );
  }
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
          You come back to where you are.
        </EmptyState>
      </Popup>
    );
  }
  return (
    <Popup open={open} onClose={onClose} title="Choose an image" width={900}>
      <SegmentedControl
        aria-label="Where from"
        data={tabs}
        value={tab}
        onChange={(value) => setTab(value as Tab)}
      />
      {tab === BROWSER ? (
        <BrowserPane onPick={pickLocal} />
      ) : tab === ICONS ? (
        <Suspense fallback={<Loading label="Loading icons" />}>
          <GameIconsPane onAdded={(id) => void pickId('image', id)} />
        </Suspense>
      ) : (
        <LibraryPane
          key={tab}
          shelf={tab}
          mayAdd={tab === ofProject ? around?.mayEdit === true : tab === 'image'}
          onPick={pick}
          onUploaded={(id) => void pickId(tab, id)}
        />
      )}
    </Popup>
  );
}

/** An image that was just added, once its place tells of it. */
function arrival(place: ImagePlace, id: string): Promise<StoredImage | undefined> {
  return new Promise((resolve) => {
    const store = libraryStore(place);
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
  mayAdd,
  onPick,
  onUploaded,
}: {
  shelf: ImagePlace;
  /** Files can be uploaded there. */
  mayAdd: boolean;
  /** Resolves when the image is taken over. */
  onPick: (image: StoredImage) => Promise<void>;
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
  const [taking, setTaking] = useState(false);
  const take = (image: StoredImage) => {
    setTaking(true);
    void onPick(image).finally(() => setTaking(false));
  };
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
        {mayAdd && (
          <Button
            variant="default"
            leftSection={<Upload size={15} aria-hidden />}
            onClick={picker.chooseFiles}
          >
            Upload
          </Button>
        )}
      </search>
      {mayAdd && <UploadPanel collapsed />}
      <div className={css.scroll}>
        {!ready && !error && <Loading label="Loading images" />}
        {ready && images.length === 0 && (
          <EmptyState
            icon={<ImagePlus size={26} />}
            title={shelf === 'stock' ? 'No stock pictures yet' : 'No images yet'}
            action={mayAdd && <Button onClick={picker.chooseFiles}>Upload one</Button>}
          >
            {emptyText(shelf)}
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
            onOpen={take}
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
        <Button disabled={!chosen} loading={taking} onClick={() => chosen && take(chosen)}>
          Use image
        </Button>
      </footer>
    </div>
  );
  return mayAdd ? (
    <UploadDrop aim={aim} onStarted={follow}>
      {picker.fields}
      {body}
    </UploadDrop>
  ) : (
    body
  );
}

/** Advice about a place without images. */
function emptyText(place: ImagePlace): string {
  if (place === 'stock') return 'Admins of this server can add packs of pictures for everybody.';
  if (projectOfPlace(place) === undefined) return 'Drop a file here, paste one, or take an icon.';
  return 'What you choose from your images, the stock or the icons lies here from then on.';
}

/** All images, those picked last in front. */
function everything(images: readonly StoredImage[], recent: readonly string[]): readonly StoredImage[] {
  const place = new Map(recent.map((key, i) => [key, i]));
  const rank = ({ shelf, id }: StoredImage) => place.get(`${shelf}:${id}`) ?? recent.length;
  return [...images].sort((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt);
}
