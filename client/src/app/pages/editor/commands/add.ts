import { newZone, type ZoneKind } from '../../../../core/scene/zones.ts';
import { newZoneId } from '../new-zone-id.ts';
import { freeName } from '../state/zones.ts';
import { partOf, ZONE_KINDS } from '../zone-parts.ts';
import type { Command } from './command.ts';

/** Adds a zone in the middle of the card and selects it. */
function addZone(kind: ZoneKind): Command {
  const { add, newSize, fill } = partOf({ kind });
  return {
    id: `add-${kind}`,
    label: add.label,
    group: 'Add',
    ...(add.key !== undefined && { keys: [add.key] }),
    run({ model }) {
      const { scene } = model.state;
      const [shareW, shareH] = newSize;
      const w = Math.max(1, Math.round(scene.size.w * shareW));
      const h = Math.max(1, Math.round(scene.size.h * shareH));
      const box = { x: Math.round((scene.size.w - w) / 2), y: Math.round((scene.size.h - h) / 2), w, h };
      const zone = newZone(kind, newZoneId(), freeName(scene, kind), box);
      fill(zone, newZoneId);
      model.act((draft) => void draft.zones.push(zone), { select: zone.id });
    },
  };
}

/** A command that adds a zone, by kind. */
export const ADD_ZONE = Object.fromEntries(ZONE_KINDS.map((kind) => [kind, addZone(kind)])) as Readonly<
  Record<ZoneKind, Command>
>;

export const ADD_COMMANDS: readonly Command[] = Object.values(ADD_ZONE);
