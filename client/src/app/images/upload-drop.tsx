import { type ReactNode, useEffect, useRef, useState } from 'react';
import { joinPath } from '../../core/images/path.ts';
import type { ImagePlace } from '../../data/images/library-location.ts';
import { droppedFiles, type FoundFile, pickedFiles } from '../../data/images/upload/dropped-files.ts';
import { ACCEPTED } from '../../data/images/upload/file-kind.ts';
import type { IfTaken, UploadDetails } from '../../data/images/upload/upload-item.ts';
import { uploads } from '../../data/images/upload/uploads.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import css from './upload.module.css';

/** Destination and details of dropped files. */
export interface UploadAim {
  readonly shelf: ImagePlace;
  readonly folder: string;
  readonly ifTaken?: IfTaken;
  readonly details?: UploadDetails;
}

/** Starts the upload of files; answers the ids of the uploads. */
export async function uploadFiles(files: readonly FoundFile[], aim: UploadAim): Promise<string[]> {
  if (files.length === 0) {
    toasts.show('There is no image among these files.', { type: 'warning', autoCloseTime: 5_000 });
    return [];
  }
  return uploads().add(
    aim.shelf,
    files.map(({ path, file }) => ({
      path: joinPath(aim.folder, path),
      blob: file,
      ...(aim.details && { details: aim.details }),
    })),
    aim.ifTaken,
  );
}

/** A screenshot in the clipboard has no name of its own. */
function pastedName(file: File): string {
  if (!/^image\.\w+$/.test(file.name)) return file.name;
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `Pasted ${day} ${two(now.getHours())}.${two(now.getMinutes())}.png`;
}

const holdsFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false;

/** An area in which dropped files and folders, and images pasted anywhere on the page, are uploaded. */
export function UploadDrop({
  aim,
  children,
  onStarted,
  off = false,
}: {
  aim: UploadAim;
  children: ReactNode;
  /** Ids of the uploads. */
  onStarted?: (ids: readonly string[]) => void;
  /** Nothing is taken here. */
  off?: boolean;
}) {
  return (
    <FileDrop
      label={`Drop to upload${aim.folder === '' ? '' : ` to ${aim.folder}`}`}
      off={off}
      onFiles={async (files) => {
        const ids = await uploadFiles(files, aim);
        onStarted?.(ids);
      }}
    >
      {children}
    </FileDrop>
  );
}

/** An area that takes dropped files and folders, and images pasted anywhere on the page. */
export function FileDrop({
  label,
  children,
  onFiles,
  off = false,
}: {
  /** Shown while files are over it. */
  label: string;
  children: ReactNode;
  onFiles: (files: readonly FoundFile[]) => Promise<void>;
  /** Nothing is taken here. */
  off?: boolean;
}) {
  const [over, setOver] = useState(false);
  const current = useRef(onFiles);
  current.current = onFiles;
  const take = (found: Promise<FoundFile[]>) => {
    const then = current.current;
    void found.then(then).catch((error: unknown) =>
      toasts.show(`These files could not be read: ${error instanceof Error ? error.message : error}`, {
        type: 'error',
        autoCloseTime: 6_000,
      }),
    );
  };
  const takeNow = useRef(take);
  takeNow.current = take;

  useEffect(() => {
    if (off) return;
    const paste = (event: ClipboardEvent) => {
      if (!event.clipboardData || !holdsFiles(event.clipboardData)) return;
      event.preventDefault();
      const files = [...event.clipboardData.files].map((file) => ({ path: pastedName(file), file }));
      takeNow.current(Promise.resolve(files));
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [off]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; buttons do the same
    <div
      className={css.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (off || !holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (off || !holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(false);
        take(droppedFiles(event.dataTransfer));
      }}
    >
      {children}
      {over && (
        <div className={css.veil} aria-hidden>
          <span>{label}</span>
        </div>
      )}
    </div>
  );
}

/** The hidden fields behind “Choose files” and “Choose a folder”. */
export function useFilePicker(onFiles: (files: FoundFile[]) => void): {
  readonly fields: ReactNode;
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
} {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (event: React.ChangeEvent<HTMLInputElement>) => {
    const found = pickedFiles(event.currentTarget.files ?? []);
    // The same files may be chosen again.
    event.currentTarget.value = '';
    onFiles(found);
  };
  const shared = { type: 'file', hidden: true, multiple: true, onChange: take } as const;
  return {
    fields: (
      <>
        <input ref={files} {...shared} accept={ACCEPTED} aria-label="Images to upload" />
        <input
          ref={(element) => {
            folder.current = element;
            element?.setAttribute('webkitdirectory', '');
          }}
          {...shared}
          aria-label="Folder to upload"
        />
      </>
    ),
    chooseFiles: () => files.current?.click(),
    chooseFolder: () => folder.current?.click(),
  };
}
