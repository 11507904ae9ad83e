import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { deleteLayout } from '../../../data/layouts/layouts.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import type { Transfers } from '../../transfers/use-transfers.tsx';
import { askAbout } from './choosing.tsx';
import type { Question } from './layout-tile.tsx';
import type { Outdated, Shelved } from './shelf.ts';
import { TagsDialog } from './tags-dialog.tsx';
import { UpdateDialog } from './update-dialog.tsx';

/** Asks before a layout is deleted. */
function DeleteDialog({ of, onClose }: { of: Shelved | undefined; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    if (!of) return;
    setBusy(true);
    try {
      await deleteLayout(of.shelf.source.layout(of.layout.id));
      onClose();
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={of !== undefined} onClose={onClose} title="Delete this layout?">
      <p>
        Components that use <strong>{of?.layout.name}</strong> keep their cards but lose their look until you
        choose another layout. This cannot be undone.
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep it
        </Button>
        <Button color={DANGER} loading={busy} onClick={() => void remove()}>
          Delete layout
        </Button>
      </PopupActions>
    </Popup>
  );
}

/** The dialogs about one layout, and the way to open them. */
export function useLayoutDialogs(transfers: Transfers): {
  readonly ask: (question: Question, of: Shelved & Outdated) => void;
  readonly dialogs: ReactNode;
} {
  const [asked, setAsked] = useState<{ question: Question; of: Shelved & Outdated }>();
  const close = () => setAsked(undefined);
  const of = (question: Question) => (asked?.question === question ? asked.of : undefined);
  return {
    ask: (question, shelved) =>
      question === 'copy' || question === 'move'
        ? askAbout(transfers, question, shelved)
        : setAsked({ question, of: shelved }),
    dialogs: (
      <>
        <TagsDialog of={of('tags')} onClose={close} />
        <UpdateDialog of={of('update')} onClose={close} />
        <DeleteDialog of={of('delete')} onClose={close} />
      </>
    ),
  };
}
