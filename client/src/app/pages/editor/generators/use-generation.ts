import { useStore } from 'zustand';
import type { EditorModel } from '../state/editor-store.ts';
import { type Generation, goesOn } from './generation.ts';

/** The generation that a zone follows; undefined for a zone that follows none, or no longer. */
export function useGeneration(model: EditorModel, zone: string): Generation | undefined {
  const generation = useStore(model.store, (state) => state.generation);
  // The zones that were made decide whether it goes on.
  const follows = useStore(model.store, () => generation?.zone === zone && goesOn(model, generation));
  return follows && generation ? generation : undefined;
}
