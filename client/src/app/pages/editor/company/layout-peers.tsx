import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { layoutCursor, usePresence } from '../../../../data/presence/use-presence.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { PeerBadges } from '../../../peers/peer-badges.tsx';
import type { EditorModel } from '../state/editor-store.ts';
import type { Company } from './company.ts';

/** Others who have this layout of a project open; tells them the selection and the pointer. */
export function LayoutPeers({
  project,
  layout,
  model,
  company,
}: {
  project: Project;
  layout: string;
  model: EditorModel;
  company: Company;
}) {
  const selection = useStore(model.store, (state) => state.selection);
  const pointer = useSyncExternalStore(company.subscribe, company.pointer);
  const peers = useSyncExternalStore(company.subscribe, company.peers);
  usePresence(project, { kind: 'layout', id: layout }, layoutCursor(selection, pointer), company.meet);
  return <PeerBadges list={peers} />;
}
