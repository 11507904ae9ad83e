import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { newZone, type ZoneKind } from '../../../../core/scene/zones.ts';
import { canRun } from '../../../../ui/commands/command.ts';
import { newZoneId } from '../new-zone-id.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { freeName } from '../state/zones/zones.ts';
import { partOf, ZONE_KINDS } from '../zone-parts.ts';
import type { Command } from './command.ts';
import { WRITE } from './edit.ts';

/** Width and height of a new zone that nobody has given a size, in millimetres. */
function usualSize({ state: { scene } }: EditorModel, kind: ZoneKind): { w: number; h: number } {
  const [shareW, shareH] = partOf({ kind }).newSize;
  return {
    w: Math.max(1, Math.round(scene.size.w * shareW)),
    h: Math.max(1, Math.round(scene.size.h * shareH)),
  };
}

/** Adds a zone and selects it. @param box in millimetres on the card */
function addZoneIn(model: EditorModel, kind: ZoneKind, box: Rect): void {
  const zone = newZone(kind, newZoneId(), freeName(model.state.scene, kind), box);
  partOf({ kind }).fill(zone, newZoneId);
  model.act((draft) => void draft.zones.push(zone), { select: zone.id });
}

/** Adds a zone in the middle of the card and selects it. */
export function addInTheMiddle(model: EditorModel, kind: ZoneKind): void {
  const { size } = model.state.scene;
  const { w, h } = usualSize(model, kind);
  addZoneIn(model, kind, { x: Math.round((size.w - w) / 2), y: Math.round((size.h - h) / 2), w, h });
}

/** Adds the zone that was drawn, and ends the drawing. A point has the usual size beside and below it; texts are written in. */
export function addDrawn(model: EditorModel, drawn: Rect | { readonly x: number; readonly y: number }): void {
  const kind = model.state.tool;
  if (!kind) return;
  model.view({ tool: null });
  addZoneIn(model, kind, { ...usualSize(model, kind), ...drawn });
  const context = { model, save: () => undefined };
  if (canRun(WRITE, context)) WRITE.run(context);
}

function addZone(kind: ZoneKind): Command {
  return {
    id: `add-${kind}`,
    label: partOf({ kind }).add.label,
    group: 'Add',
    run: ({ model }) => addInTheMiddle(model, kind),
  };
}

/** A command that adds a zone, by kind. */
export const ADD_ZONE = Object.fromEntries(ZONE_KINDS.map((kind) => [kind, addZone(kind)])) as Readonly<
  Record<ZoneKind, Command>
>;

/** Commands that let the pointer draw a zone to size, of the kinds that have a key. */
export const DRAW_COMMANDS: readonly Command[] = ZONE_KINDS.flatMap((kind): Command[] => {
  const { label, add } = partOf({ kind });
  if (add.key === undefined) return [];
  return [
    {
      id: `draw-${kind}`,
      label: `Draw: ${label}`,
      group: 'Add',
      keys: [add.key],
      run: ({ model }) => model.view({ tool: kind, writing: null, painting: null, drawing: null }),
    },
  ];
});

export const ADD_COMMANDS: readonly Command[] = [...Object.values(ADD_ZONE), ...DRAW_COMMANDS];
