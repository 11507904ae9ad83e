import { beforeEach, describe, expect, it } from 'vitest';
import type { Rect } from '../../../../core/scene/display/matrix.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { snapMove, snapToGrid } from '../geometry/snap.ts';
import { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones/zones.ts';
import { idle } from './idle.ts';
import { type HandleContext, HandleMachine, type PointerTarget } from './machine.ts';

let model: EditorModel;
let machine: HandleMachine;
let snapping: boolean;
let brushed: Rect | null | undefined;
let copies = 0;
let added: unknown[];

beforeEach(() => {
  const scene = newLayout('test');
  scene.zones.push(newZone('shape', 'a', 'A', { x: 10, y: 10, w: 20, h: 10 }));
  scene.zones.push({ ...newZone('shape', 'b', 'B', { x: 30, y: 40, w: 10, h: 10 }), locked: true });
  model = new EditorModel(scene);
  snapping = true;
  added = [];
  const boxOf = (id: string) => findZone(model.state.scene, id);
  const isLocked = (id: string) => boxOf(id)?.locked ?? true;
  const context: HandleContext = {
    box: (id) => {
      const zone = boxOf(id);
      return zone && { x: zone.x, y: zone.y, w: zone.w, h: zone.h, rotation: zone.rotation };
    },
    cardBox: (id) => boxOf(id),
    isLocked,
    movable: () => model.state.selection.filter((id) => !isLocked(id)),
    isSelected: (id) => model.state.selection.includes(id),
    inParent: (_, vector) => vector,
    pointInParent: (_, point) => point,
    snapping: () => snapping,
    snapBox: (box) => snapMove(box),
    snapEdge: (_, __, value) => snapToGrid(value),
    select: (id) => model.select(id),
    toggle: (id) => model.toggle(id),
    selection: () => model.state.selection,
    drawing: {
      isNext: () => model.state.tool !== null,
      snap: (at) => (snapping ? { x: snapToGrid(at.x), y: snapToGrid(at.y) } : at),
      show: (area) => model.view({ drawn: area }),
      end: (place) => {
        model.view({ drawn: null });
        added.push(place);
      },
    },
    brush: (area) => {
      brushed = area;
    },
    show: (boxes) => model.showPreview(boxes),
    commit: (copy) => (copy ? model.commitCopies(() => `copy${++copies}`) : model.commitPreview()),
    discard: () => model.showPreview({}),
  };
  machine = new HandleMachine(context, idle);
});

const down = (target: PointerTarget, x = 0, y = 0, shift = false) =>
  machine.send({ type: 'down', at: { x, y }, target, shift });
const move = (x: number, y: number, shift = false, alt = false) =>
  machine.send({ type: 'move', at: { x, y }, travelled: Math.hypot(x, y) * 4, shift, alt });
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
    up();
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

  describe('with several zones', () => {
    const boxOf = (id: string) => {
      const zone = findZone(model.state.scene, id);
      return zone && [zone.x, zone.y, zone.w, zone.h];
    };
    beforeEach(() => {
      model.actOn('b', (zone) => {
        zone.locked = false;
      });
      model.selectAll(['a', 'b']);
    });

    it('drags all of them when one is dragged, as one act', () => {
      down(onA);
      move(5, 3);
      up();
      expect([boxOf('a'), boxOf('b')]).toEqual([
        [15, 13, 20, 10],
        [35, 43, 10, 10],
      ]);
      model.undo();
      expect(boxOf('a')).toEqual([10, 10, 20, 10]);
    });

    it('a click on one of them selects it alone; with Shift it is taken out', () => {
      down(onA);
      up();
      expect(model.state.selection).toEqual(['a']);
      down({ kind: 'zone', id: 'b' }, 0, 0, true);
      expect(model.state.selection).toEqual(['a', 'b']);
      down(onA, 0, 0, true);
      expect(model.state.selection).toEqual(['b']);
    });

    it('resizes the box around them, each keeping its share', () => {
      down({ kind: 'group-handle', handle: 'se' }, 40, 50);
      machine.send({ type: 'move', at: { x: 70, y: 90 }, travelled: 99, shift: false });
      expect(machine.state).toBe('resizing-group');
      up();
      expect([boxOf('a'), boxOf('b')]).toEqual([
        [10, 10, 40, 20],
        [50, 70, 20, 20],
      ]);
    });

    it('Alt leaves them and drags copies', () => {
      down(onA);
      move(5, 3, false, true);
      up();
      expect(model.state.scene.zones).toHaveLength(4);
      expect(boxOf('a')).toEqual([10, 10, 20, 10]);
      expect(model.state.selection.map(boxOf)).toEqual([
        [15, 13, 20, 10],
        [35, 43, 10, 10],
      ]);
    });
  });

  it('draws a rectangle to select by', () => {
    down({ kind: 'card' }, 30, 20);
    move(10, 50);
    expect(machine.state).toBe('brushing');
    expect(brushed).toEqual({ x: 10, y: 20, w: 20, h: 30 });
    up();
    expect(brushed).toBeNull();
  });
});

describe('a zone that is drawn', () => {
  beforeEach(() => model.view({ tool: 'text' }));

  it('is as large as the drag, from any corner, over whatever lies there', () => {
    const corners = [
      { x: 12, y: 12, toX: 40.2, toY: 30.4 },
      { x: 40.2, y: 30.4, toX: 12, toY: 12 },
      { x: 12, y: 30.4, toX: 40.2, toY: 12 },
    ];
    for (const { x, y, toX, toY } of corners) {
      down(onA, x, y);
      move(toX, toY);
      expect(machine.state).toBe('drawing-zone');
      expect(model.state.drawn).toEqual({ x: 12, y: 12, w: 28, h: 18 });
      up();
    }
    expect(added).toEqual(Array.from({ length: 3 }, () => ({ x: 12, y: 12, w: 28, h: 18 })));
    expect([model.state.drawn, model.state.selection]).toEqual([null, []]);
  });

  it('is square with Shift, and as exact as the pointer without snapping', () => {
    snapping = false;
    down({ kind: 'card' }, 10.25, 20.5);
    move(5, 40.125, true);
    up();
    expect(added).toEqual([{ x: -9.375, y: 20.5, w: 19.625, h: 19.625 }]);
  });

  it('has its usual size where somebody clicks, or draws less than a millimetre', () => {
    down(onA, 12.3, 15.8);
    up();
    down(onA, 12.3, 15.8);
    move(30, 15.9);
    up();
    expect(added).toEqual([
      { x: 12, y: 16 },
      { x: 12, y: 16 },
    ]);
  });

  it('is not added after Escape or without the pointer', () => {
    down(onA, 12, 12);
    move(40, 40);
    machine.send({ type: 'cancel' });
    expect(added).toEqual([undefined]);
    expect(machine.state).toBe('idle');
  });
});
