import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { cleanPath, isBelow } from '../../../core/images/path.ts';
import { folderMoves, moveImages } from '../../../data/images/edit.ts';
import type { StoredImage } from '../../../data/images/library-store.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';

/** Gives a folder another name or place, with all that is in it. */
export function RenameFolder({
  open,
  folder,
  all,
  onClose,
  onDone,
}: {
  open: boolean;
  folder: string;
  all: readonly StoredImage[];
  onClose: () => void;
  onDone: (folder: string) => void;
}) {
  const [path, setPath] = useState(folder);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (open) {
      setPath(folder);
      setFailure(undefined);
    }
  }, [open, folder]);
  const count = all.filter((image) => isBelow(image.path, folder)).length;
  const to = cleanPath(path);
  const submit = async () => {
    if (to === folder) {
      onClose();
      return;
    }
    if (isBelow(to, folder) && to !== '') {
      setFailure('A folder cannot be moved into itself. Choose another place.');
      return;
    }
    setBusy(true);
    try {
      await moveImages(folderMoves(folder, to, all));
      toasts.show(`${count} ${count === 1 ? 'image' : 'images'} moved. Cards that show them go on.`, {
        type: 'success',
      });
      onClose();
      onDone(to);
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={open} onClose={onClose} title="Rename or move folder">
      {failure && <Problem title={failure} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextInput
          data-autofocus
          label="Folder"
          description="With the folders it is in, such as Monsters/Sea. Cards keep their images."
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Move {count} {count === 1 ? 'image' : 'images'}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
