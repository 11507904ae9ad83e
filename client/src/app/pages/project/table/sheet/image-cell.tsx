import { FolderSearch } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { shownName } from '../../../../../core/images/library.ts';
import { knownLibrary, onLibrary, readyLibrary } from '../../../../../workers/sources/library.ts';
import { LazyImagePicker, SourceThumbnail } from '../../../../images/image-field.tsx';
import { useMayChoose } from '../../../../images/use-may-choose.ts';
import css from './cells.module.css';

/** A cell that wants an image chosen for it. */
type Choice = { readonly write: (text: string) => void };

/** Set by the one dialog of the table that is open. */
let ask: ((choice: Choice) => void) | undefined;

/** Opens the dialog for a cell. */
export function chooseImage(choice: Choice): void {
  ask?.(choice);
}

/** Display name of a cell's image: people see and type names, whatever is stored. */
export const imageName = (text: string): string =>
  text.trim() === '' ? text : shownName(text, knownLibrary());

/** The picture and name of a cell's image, with a button while the cursor is on it. */
export function ImageCell({
  text,
  active,
  write,
}: {
  text: string;
  active: boolean;
  /** Missing where the cell cannot be changed. */
  write: ((text: string) => void) | undefined;
}) {
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  const mayChoose = useMayChoose();
  const source = text.trim();
  useEffect(() => {
    void readyLibrary();
  }, []);
  return (
    <>
      {source !== '' && (
        <span className={css.thumbnail}>
          <SourceThumbnail source={source} />
        </span>
      )}
      <span className={css.words}>{source === '' ? '' : shownName(source, library)}</span>
      {active && write && (
        <button
          type="button"
          className={css.choose}
          tabIndex={-1}
          aria-label="Choose an image"
          title={
            mayChoose
              ? 'Choose an image (F2, then Alt+↓)'
              : 'Choosing from pictures of your own needs an account'
          }
          disabled={!mayChoose}
          // The grid would begin an edit or a drag.
          onMouseDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            chooseImage({ write });
          }}
        >
          <FolderSearch size={15} aria-hidden />
        </button>
      )}
    </>
  );
}

/** The table's dialog for choosing images. @param onOpen the grid must let go of the keyboard */
export function CellImagePicker({ onOpen }: { onOpen: () => void }) {
  const [choice, setChoice] = useState<Choice>();
  useEffect(() => {
    ask = (next) => {
      onOpen();
      setChoice(next);
    };
    return () => {
      ask = undefined;
    };
  }, [onOpen]);
  return (
    <LazyImagePicker
      open={choice !== undefined}
      onClose={() => setChoice(undefined)}
      onPick={(reference) => choice?.write(reference)}
    />
  );
}
