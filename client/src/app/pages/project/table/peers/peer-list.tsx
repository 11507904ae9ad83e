import { useSyncExternalStore } from 'react';
import { PeerBadges } from '../../../../peers/peer-badges.tsx';
import type { Peers } from './peers-context.ts';

/** Other people who have this table open. */
export function PeerList({ peers }: { peers: Peers }) {
  return <PeerBadges list={useSyncExternalStore(peers.subscribe, peers.list)} />;
}
