import { beforeEach, describe, expect, it } from 'vitest';
import { newLayout, newShapeZone } from '../../../../core/scene/defaults.ts';
import { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones.ts';
import { idle } from './idle.ts';
import { type HandleContext, HandleMachine, type PointerTarget } from './machine.ts';

let model: EditorModel;
let machine: HandleMachine;
let snapping: boolean;

beforeEach(() => {
  const scene = newLayout('test');
  scene.zones.push(newShapeZone('a', 'A', { x: 10, y: 10, w: 20, h: 10 }));
  scene.zones.push({ ...newShapeZone('b', 'B', { x: 30, y: 40, w: 10, h: 10 }), locked: true });
  model = new EditorModel(scene);
  snapping = true;
  const context: HandleContext = {
    box: (id) => findZone(model.state.scene, id),
    isLocked: (id) => findZone(model.state.scene, id)?.locked ?? true,
    inParent: (_, vector) => vector,
    pointInParent: (_, point) => point,
    snapping: () => snapping,
    select: (id) => model.select(id),
    show: (id, { x, y, w, h, rotation }) => model.showPreview({ [id]: { x, y, w, h, rotation } }),
    commit: () => model.commitPreview(),
    discard: () => model.showPreview({}),
  };
  machine = new HandleMachine(context, idle);
});

const down = (target: PointerTarget, x = 0, y = 0) => machine.send({ type: 'down', at: { x, y }, target });
const move = (x: number, y: number, shift = false) =>
  machine.send({ type: 'move', at: { x, y }, travelled: Math.hypot(x, y) * 4, shift });
const up = () => machine.send({ type: 'up' });
const zoneA = () => {
  const zone = findZone(model.state.scene, 'a');
  return zone && [zone.x, zone.y, zone.w, zone.h, zone.rotation];
};
const onA: PointerTarget = { kind: 'zone', id: 'a' };

describe('the pointer', () => {
  it('selects on a click and changes nothing', () => {
    down(onA);
    move(0.1, 0);
    expect(machine.state).toBe('pointing-zone');
    up();
    expect(machine.state).toBe('idle');
    expect(model.state.selected).toBe('a');
    expect(model.state.canUndo).toBe(false);
    down({ kind: 'card' });
    expect(model.state.selected).toBeNull();
  });

  it('drags a zone as one act', () => {
    down(onA);
    move(2.2, 0);
    expect(machine.state).toBe('translating');
    move(5.3, 3.8);
    expect(zoneA()).toEqual([10, 10, 20, 10, 0]);
    up();
    expect(zoneA()).toEqual([15, 14, 20, 10, 0]);
    model.undo();
    expect(zoneA()).toEqual([10, 10, 20, 10, 0]);
    expect(model.state.canUndo).toBe(false);
  });

  it.each([
    ['with Shift', true, true],
    ['with snapping off', false, false],
  ])('moves off the grid %s', (_, snap, shift) => {
    snapping = snap;
    down(onA);
    move(5.3, 3.8, shift);
    up();
    expect(zoneA()).toEqual([15.3, 13.8, 20, 10, 0]);
  });

  it('leaves everything as it was on Escape', () => {
    down(onA);
    move(9, 9);
    machine.send({ type: 'cancel' });
    expect(machine.state).toBe('idle');
    expect(model.state.preview).toEqual({});
    expect(zoneA()).toEqual([10, 10, 20, 10, 0]);
    expect(model.state.canUndo).toBe(false);
  });

  it('resizes by a handle', () => {
    down({ kind: 'handle', id: 'a', handle: 'se' });
    move(4.4, 6.7);
    expect(machine.state).toBe('resizing');
    up();
    expect(zoneA()).toEqual([10, 10, 24, 17, 0]);
  });

  it('rotates towards the pointer in steps of 5 degrees', () => {
    down({ kind: 'rotate', id: 'a' });
    move(40, 15);
    expect(machine.state).toBe('rotating');
    up();
    expect(zoneA()?.[4]).toBe(90);
  });

  it('does not move what is locked', () => {
    down({ kind: 'zone', id: 'b' });
    move(9, 9);
    expect(machine.state).toBe('pointing-zone');
    up();
    expect(model.state.selected).toBe('b');
    expect(model.state.canUndo).toBe(false);
  });
});
