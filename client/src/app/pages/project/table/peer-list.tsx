import { useSyncExternalStore } from 'react';
import type { Peers } from './peers-context.ts';
import css from './table-toolbar.module.css';

/** Other people who have this table open. */
export function PeerList({ peers, colours }: { peers: Peers; colours: readonly string[] }) {
  const list = useSyncExternalStore(peers.subscribe, peers.list);
  if (list.length === 0) return null;
  return (
    <span
      className={css.peers}
      role="img"
      aria-label={`Also here: ${list.map(({ name }) => name).join(', ')}`}
    >
      {list.slice(0, 5).map(({ id, name, hue }) => (
        <span key={id} title={name} style={{ background: colours[hue % colours.length] }}>
          {name.slice(0, 1).toUpperCase()}
        </span>
      ))}
    </span>
  );
}
