import { useContext, useSyncExternalStore } from 'react';
import css from './cells.module.css';
import { PeersContext } from './peers-context.ts';

/** Colours of other people's cursors. All bear white letters in both themes. */
export const PEER_COLOURS = ['#7a2f4f', '#2f5d62', '#6b4a8a', '#8a4b00', '#2f6b3c', '#2f4a8a'] as const;

/** Somebody else's cursor on a cell, and whether they are typing there. */
export function PeerMark({ card, column }: { card: string; column: string }) {
  const peers = useContext(PeersContext);
  const peer = useSyncExternalStore(peers.subscribe, () => peers.at(card, column));
  if (!peer) return null;
  const colour = PEER_COLOURS[peer.hue % PEER_COLOURS.length] ?? PEER_COLOURS[0];
  return (
    <span className={css.peer} style={{ '--peer': colour } as React.CSSProperties}>
      <span>
        {peer.name}
        {peer.editing && ' is typing…'}
      </span>
    </span>
  );
}
