import { newZone } from '../../../../core/scene/defaults.ts';
import type { ZoneKind } from '../../../../core/scene/zone.ts';
import { newZoneId } from '../new-zone-id.ts';
import { freeName } from '../state/zones.ts';
import type { Command } from './command.ts';

/** Size of a new zone as shares of the card. */
const NEW_SIZES: Readonly<Record<ZoneKind, readonly [number, number]>> = {
  text: [0.7, 0.12],
  image: [0.7, 0.4],
  shape: [0.4, 0.25],
  container: [0.7, 0.3],
  grid: [0.7, 0.5],
  iterator: [0.7, 0.1],
  code: [0.3, 0.22],
};
const KEYS: Readonly<Partial<Record<ZoneKind, string>>> = {
  text: 'T',
  image: 'I',
  shape: 'S',
  container: 'C',
};
const LABELS: Readonly<Record<ZoneKind, string>> = {
  text: 'Add text',
  image: 'Add image',
  shape: 'Add shape',
  container: 'Add container',
  grid: 'Add grid',
  iterator: 'Add iterator',
  code: 'Add code',
};

/** Adds a zone in the middle of the card and selects it. */
export function addZone(kind: ZoneKind): Command {
  const key = KEYS[kind];
  return {
    id: `add-${kind}`,
    label: LABELS[kind],
    group: 'Add',
    ...(key !== undefined && { keys: [key] }),
    run({ model }) {
      const { scene } = model.state;
      const [shareW, shareH] = NEW_SIZES[kind];
      const w = Math.max(1, Math.round(scene.size.w * shareW));
      const h = Math.max(1, Math.round(scene.size.h * shareH));
      const box = { x: Math.round((scene.size.w - w) / 2), y: Math.round((scene.size.h - h) / 2), w, h };
      const zone = newZone(kind, newZoneId(), freeName(scene, kind), box);
      if (zone.kind === 'text') zone.text = 'New text';
      if (zone.kind === 'code') zone.text = 'https://example.org';
      if (zone.kind === 'iterator') {
        zone.children = [newZone('shape', newZoneId(), 'Item', { x: 0, y: 0, w: zone.itemW, h: zone.itemH })];
      }
      model.act((draft) => void draft.zones.push(zone), { select: zone.id });
    },
  };
}

export const ADD_TEXT = addZone('text');
export const ADD_IMAGE = addZone('image');
export const ADD_SHAPE = addZone('shape');
export const ADD_CONTAINER = addZone('container');
export const ADD_GRID = addZone('grid');
export const ADD_ITERATOR = addZone('iterator');
export const ADD_CODE = addZone('code');
export const ADD_COMMANDS: readonly Command[] = [
  ADD_TEXT,
  ADD_IMAGE,
  ADD_SHAPE,
  ADD_CONTAINER,
  ADD_GRID,
  ADD_ITERATOR,
  ADD_CODE,
];
