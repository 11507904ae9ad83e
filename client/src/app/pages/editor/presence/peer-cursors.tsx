import { type CSSProperties, useSyncExternalStore } from 'react';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { peerColour } from '../../../peers/peer-colours.ts';
import { placeStyle } from '../canvas/zone-box.tsx';
import type { LayoutPresence } from './layout-presence.ts';
import css from './peer-cursors.module.css';

/** The pointer's shape, with its tip at the top left. */
const ARROW = 'M1 1 L1 15 L5 11.5 L8 17.5 L10.5 16.3 L7.6 10.5 L13 10 Z';

/**
 * Others' selected zones, outlined, and their pointers, with their names. Those who cannot see them hear who is there
 * from the bar.
 */
export function PeerCursors({
  presence,
  frames,
  scale,
}: {
  presence: LayoutPresence;
  frames: readonly ZoneFrame[];
  scale: number;
}) {
  const peers = useSyncExternalStore(presence.subscribe, presence.peers);
  return peers.map(({ id, name, hue, zones, x, y }) => (
    <div key={id} aria-hidden className={css.peer} style={{ '--peer': peerColour(hue) } as CSSProperties}>
      {frames
        .filter(({ zone }) => zones.includes(zone))
        .map((frame) => (
          <div
            key={frame.id}
            className={css.outline}
            data-peer-zone={frame.zone}
            style={placeStyle(frame, scale)}
          >
            <bdi>{name || 'Somebody'}</bdi>
          </div>
        ))}
      {x !== null && y !== null && (
        <div
          className={css.pointer}
          data-peer-pointer
          style={{ transform: `translate(${x * scale}px, ${y * scale}px)` }}
        >
          <svg width="14" height="19" viewBox="0 0 14 19" aria-hidden>
            <path d={ARROW} />
          </svg>
          <bdi>{name || 'Somebody'}</bdi>
        </div>
      )}
    </div>
  ));
}
