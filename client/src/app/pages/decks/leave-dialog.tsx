import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { SharedDeck } from '../../../data/queries.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';

/** Asks before a member goes. */
export function LeaveDialog({
  deck,
  onClose,
  onLeave,
}: {
  deck: SharedDeck | undefined;
  onClose: () => void;
  onLeave: (deck: SharedDeck) => void;
}) {
  const shown = useRef(deck);
  if (deck) shown.current = deck;
  return (
    <Popup open={deck !== undefined} onClose={onClose} title="Leave this project?">
      <p>
        <strong>{shown.current?.name}</strong> disappears from your projects. To come back you need a new
        invitation.
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Stay
        </Button>
        <Button color={DANGER} onClick={() => deck && onLeave(deck)}>
          Leave
        </Button>
      </PopupActions>
    </Popup>
  );
}
