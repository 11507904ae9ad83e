import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { layoutCursor, usePresence } from '../../../../data/presence/use-presence.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { PeerBadges } from '../../../peers/peer-badges.tsx';
import type { EditorModel } from '../state/editor-store.ts';
import type { LayoutPresence } from './layout-presence.ts';

/** Others who have this layout of a project open; tells them the selection and the pointer. */
export function LayoutPeers({
  project,
  layout,
  model,
  presence,
}: {
  project: Project;
  layout: string;
  model: EditorModel;
  presence: LayoutPresence;
}) {
  const selection = useStore(model.store, (state) => state.selection);
  const pointer = useSyncExternalStore(presence.subscribe, presence.pointer);
  const peers = useSyncExternalStore(presence.subscribe, presence.peers);
  usePresence(project, { kind: 'layout', id: layout }, layoutCursor(selection, pointer), presence.setPeers);
  return <PeerBadges list={peers} />;
}
