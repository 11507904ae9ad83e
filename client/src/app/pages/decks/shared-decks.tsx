import { Copy, LogOut } from 'lucide-react';
import { useState } from 'react';
import { leaveProject, ROLE_NAMES, roleOf, sees } from '../../../data/members.ts';
import type { SharedDeck } from '../../../data/queries.ts';
import { useUser } from '../../../data/session.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { DeckTile } from './deck-tile.tsx';
import css from './decks.module.css';
import { LeaveDialog } from './leave-dialog.tsx';

/** Other people's projects that the user works on. */
export function SharedDecks({
  decks,
  onCopy,
  onFailed,
}: {
  decks: readonly SharedDeck[];
  onCopy: (deck: SharedDeck) => void;
  onFailed: (error: unknown) => void;
}) {
  const { uid } = useUser();
  const [leaving, setLeaving] = useState<SharedDeck>();
  if (decks.length === 0) return null;
  const leave = (deck: SharedDeck) => {
    setLeaving(undefined);
    leaveProject(deck.id, deck.owner).then(
      () => toasts.show(`You have left “${deck.name}”.`, { type: 'success' }),
      onFailed,
    );
  };
  return (
    <section className={css.section} aria-labelledby="shared-with-me">
      <h2 id="shared-with-me">Shared with me</h2>
      <ul className={css.grid} aria-label="Shared with me">
        {decks.map((deck) => {
          const role = roleOf(deck, uid, deck.owner);
          const owner = deck.people[deck.owner] ?? 'somebody';
          return (
            <DeckTile
              key={`${deck.owner}/${deck.id}`}
              deck={deck}
              note={`${role ? ROLE_NAMES[role] : 'Member'}, of ${owner}`}
              closed={deck.trashedAt > 0}
              items={[
                {
                  label: 'Copy to my projects',
                  icon: <Copy size={15} />,
                  disabled: !sees(role),
                  onSelect: () => onCopy(deck),
                },
                {
                  label: 'Leave',
                  icon: <LogOut size={15} />,
                  danger: true,
                  onSelect: () => setLeaving(deck),
                },
              ]}
            />
          );
        })}
      </ul>
      <LeaveDialog deck={leaving} onClose={() => setLeaving(undefined)} onLeave={leave} />
    </section>
  );
}
