import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { deleteDeck } from '../../../data/decks.ts';
import type { Deck, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';

/** Asks before a project goes. */
export function DeleteDeck({ deck, onClose }: { deck: WithId<Deck> | undefined; onClose: () => void }) {
  const shown = useRef(deck);
  if (deck) shown.current = deck;
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (deck) setFailure(undefined);
  }, [deck]);
  const remove = async () => {
    if (!deck) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await deleteDeck(deck.id);
      toasts.show(`“${deck.name}” is deleted.`, { type: 'success' });
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={deck !== undefined} onClose={onClose} title="Delete this project?">
      {failure && <Problem title={failure} />}
      <p>
        <strong>{shown.current?.name}</strong> goes with all its components and cards. Its layouts stay with
        your other layouts. This cannot be undone.
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep it
        </Button>
        <Button color={DANGER} loading={busy} onClick={() => void remove()}>
          Delete project
        </Button>
      </PopupActions>
    </Popup>
  );
}
