import { isolated } from '../../core/text/names.ts';
import type { Presence, WithId } from '../../data/documents/documents.ts';
import css from './peer-badges.module.css';
import { peerColour } from './peer-colours.ts';

/** Most people shown by their letter. */
const MAX_BADGES = 5;

/** Other people who have the same thing open. */
export function PeerBadges({ list }: { list: readonly WithId<Presence>[] }) {
  if (list.length === 0) return null;
  return (
    <span
      className={css.peers}
      role="img"
      aria-label={`Also here: ${list.map(({ name }) => isolated(name)).join(', ')}`}
    >
      {list.slice(0, MAX_BADGES).map(({ id, name, hue }) => (
        <span key={id} title={name} style={{ background: peerColour(hue) }}>
          {name.slice(0, 1).toUpperCase()}
        </span>
      ))}
    </span>
  );
}
