import { useContext, useSyncExternalStore } from 'react';
import { peerColour } from '../../../../peers/peer-colours.ts';
import css from '../sheet/cells.module.css';
import { PeersContext } from './peers-context.ts';

/** Somebody else's cursor on a cell, and whether they are typing there. */
export function PeerMark({ card, column }: { card: string; column: string }) {
  const peers = useContext(PeersContext);
  const peer = useSyncExternalStore(peers.subscribe, () => peers.at(card, column));
  if (!peer) return null;
  return (
    <span className={css.peer} style={{ '--peer': peerColour(peer.hue) } as React.CSSProperties}>
      <span>
        {peer.name}
        {peer.editing && ' is typing…'}
      </span>
    </span>
  );
}
