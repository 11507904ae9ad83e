import { newZoneId } from '../new-zone-id.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones.ts';
import type { Generator } from './generator.ts';

/** Share of the card that what is made takes at first. */
const SHARE = 0.84;

/** Result of a generator, and the settings it was made from. */
export interface Generation {
  readonly generator: Generator;
  readonly settings: unknown;
  /** Id of the group it made. */
  readonly zone: string;
  /** The group's zones as they were made: others are somebody's own work, and stay. */
  readonly made: readonly unknown[];
  /** All changes of settings are one undo. */
  readonly key: string;
}

/** Makes a first group in the middle of the card and selects it. */
export function startGeneration(model: EditorModel, generator: Generator): void {
  const { w, h } = model.state.scene.size;
  const box = { x: (w * (1 - SHARE)) / 2, y: (h * (1 - SHARE)) / 2, w: w * SHARE, h: h * SHARE };
  const group = generator.make(box, generator.first, newZoneId);
  const key = `generate ${group.id}`;
  model.act((draft) => void draft.zones.push(group), { select: group.id, mergeKey: key });
  remember(model, { generator, settings: generator.first, zone: group.id, key });
}

/** True while nobody has changed the zones that were made; the group itself may have been moved. */
export function goesOn(model: EditorModel, { zone, made }: Generation): boolean {
  const found = findZone(model.state.scene, zone);
  return found?.kind === 'container' && found.children === made;
}

/** Makes the group again from other settings, where it lies now. */
export function regenerate(model: EditorModel, generation: Generation, settings: unknown): void {
  const { generator, zone, key } = generation;
  const found = findZone(model.state.scene, zone);
  if (found?.kind !== 'container') return;
  // Content whose size follows from its settings grows and shrinks about its middle.
  const { x, y, w, h, children } = generator.make(found, settings, newZoneId);
  model.act(
    (draft) => {
      const group = findZone(draft, zone);
      if (group?.kind === 'container') Object.assign(group, { x, y, w, h, children });
    },
    { mergeKey: key, mergeWindow: Number.POSITIVE_INFINITY },
  );
  remember(model, { generator, settings, zone, key });
}

function remember(model: EditorModel, generation: Omit<Generation, 'made'>): void {
  const group = findZone(model.state.scene, generation.zone);
  if (group?.kind === 'container') model.view({ generation: { ...generation, made: group.children } });
}
