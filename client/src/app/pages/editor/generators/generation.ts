import type { Layout } from '../../../../core/scene/layout.ts';
import type { Box } from '../../../../core/scene/zones/definition.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import { newZoneId } from '../new-zone-id.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones/zones.ts';
import type { Generator } from './generator.ts';

/** Share of the card that what is made takes at first. */
const SHARE = 0.84;

/** Result of a generator, and the settings it was made from. */
export interface Generation {
  readonly generator: Generator;
  readonly settings: unknown;
  /** Id of the zone it made. */
  readonly zone: string;
  /** Content of the zone as it was made: other content is somebody's own work, and stays. */
  readonly made: readonly unknown[];
  /** All changes of settings are one undo. */
  readonly key: string;
}

/** Properties of a zone that follow the settings of its generator, by their names. */
function contentOf({ makes = ['children'] }: Generator, zone: Zone): Record<string, unknown> {
  const content = zone as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(makes.map((name) => [name, content[name]]));
}

/** Content of a zone that follows the settings of its generator. */
export const madeOf = (generator: Generator, zone: Zone): unknown[] =>
  Object.values(contentOf(generator, zone));

/** Makes a first zone in the middle of the card and selects it. */
export function startGeneration(model: EditorModel, generator: Generator): void {
  const { w, h } = model.state.scene.size;
  const box = { x: (w * (1 - SHARE)) / 2, y: (h * (1 - SHARE)) / 2, w: w * SHARE, h: h * SHARE };
  startIn(model, generator, box, generator.firstIn?.(box) ?? generator.first);
}

/** Makes a first zone in a box and selects it. @param put adds it to the layout, on top where missing */
export function startIn(
  model: EditorModel,
  generator: Generator,
  box: Box,
  settings: unknown,
  put: (draft: Layout, zone: Zone) => void = (draft, zone) => void draft.zones.push(zone),
): void {
  const { x, y, w, h } = box;
  const zone = generator.make({ x, y, w, h }, settings, newZoneId);
  const key = `generate ${zone.id}`;
  model.act((draft) => put(draft, zone), { select: zone.id, mergeKey: key });
  remember(model, { generator, settings, zone: zone.id, key });
}

/** True while nobody has changed what was made; the zone itself may have been moved. */
export function goesOn(model: EditorModel, { generator, zone, made }: Generation): boolean {
  const found = findZone(model.state.scene, zone);
  return found !== undefined && madeOf(generator, found).every((content, at) => content === made[at]);
}

/** Makes the zone's content again from other settings, where it lies now. */
export function regenerate(model: EditorModel, generation: Generation, settings: unknown): void {
  const { generator, zone, key } = generation;
  const found = findZone(model.state.scene, zone);
  if (!found) return;
  const next = generator.make(found, settings, newZoneId);
  // Content whose size follows from its settings grows and shrinks about its middle.
  const { x, y, w, h } = next;
  const content = contentOf(generator, next);
  model.act((draft) => void Object.assign(findZone(draft, zone) ?? {}, { x, y, w, h, ...content }), {
    mergeKey: key,
    mergeWindow: Number.POSITIVE_INFINITY,
  });
  remember(model, { generator, settings, zone, key });
}

function remember(model: EditorModel, generation: Omit<Generation, 'made'>): void {
  const zone = findZone(model.state.scene, generation.zone);
  if (zone) model.view({ generation: { ...generation, made: madeOf(generation.generator, zone) } });
}
