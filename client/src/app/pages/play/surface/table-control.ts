import type { Act, Handle, Shown } from '../../../../core/play/protocol/messages.ts';
import { boundsOf, type Placed, topmost } from '../../../../core/play/view/arrange.ts';
import { isForeseen } from '../../../../core/play/view/foreseen.ts';
import {
  restingOf,
  restingPlace,
  type TableSpace,
  tableSpaces,
} from '../../../../core/play/view/table-spaces.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import {
  type Camera,
  fitting,
  panned,
  type Screen,
  toScreen,
  toTable,
  zoomed,
} from '../../../../render/play/camera.ts';
import type { Drag, TableScene } from '../../../../render/play/table-scene.ts';
import type { Eye } from '../commands/play-context.ts';
import { DRAG_FROM_PX, draggedFrom, dropAct, isGround, startOf, targetAt } from '../gestures/gestures.ts';

/** Zoom of one step of a wheel. */
const WHEEL_RATE = 0.0016;
/** Space between pieces that are played one after the other, in tenths of a millimetre. */
const SPOT_GAP = 60;

/** The table that the control acts on, as it is now. */
export interface ControlHost {
  view(): TableView;
  placed(): readonly Placed[];
  selected(): readonly Handle[];
  /** False for observers and after the end: nothing can be moved. */
  mayMove(): boolean;
  select(handles: readonly Handle[]): void;
  act(act: Act): Promise<unknown>;
  point(at: readonly [number, number], drag?: readonly [number, number, number]): void;
  /** Something that is painted has changed. */
  changed(): void;
  /** Pieces were let go at a point of the window that is not the table; true if they were taken. */
  dropOutside(handles: readonly Handle[], x: number, y: number): boolean;
  /** Place of the canvas in the window, in CSS pixels. */
  box(): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

type Pointed = Pick<
  PointerEvent,
  'clientX' | 'clientY' | 'pointerId' | 'pointerType' | 'button' | 'shiftKey'
> &
  Partial<Pick<PointerEvent, 'altKey'>>;

type Mode =
  | { readonly kind: 'pan' }
  | { readonly kind: 'box'; readonly from: readonly [number, number]; readonly keep: readonly Handle[] }
  | { readonly kind: 'drag'; readonly handles: readonly Handle[]; readonly start: Placed };

/** Pointers on the table, and the part of it on the screen. Not a component: it works between two frames. */
export class TableControl implements Eye {
  camera: Camera = fitting(undefined, { w: 0, h: 0 });
  drag: Drag | undefined;
  target: Handle | undefined;
  box: TableScene['box'];
  /** The thing under the pointer. */
  over: Handle | undefined;
  /** True while the space bar is held: everything pans. */
  panning = false;
  /** A line that is measured while a key is held. */
  ruler: TableScene['ruler'];
  /** The last place of the pointer over the table. */
  #hovered: { readonly x: number; readonly y: number } | undefined;
  /** The last place of the pointer that drags. */
  #dragged: { readonly x: number; readonly y: number } | undefined;
  /** The space of a board where a dragged piece would come to rest. */
  space: TableSpace | undefined;
  /** Alt is held: pieces come to rest where they are let go. */
  #loose = false;
  /** True once somebody has chosen what to look at. */
  #looked = false;
  readonly #host: ControlHost;
  readonly #down = new Map<
    number,
    { x: number; y: number; readonly startX: number; readonly startY: number }
  >();
  #mode: Mode | undefined;
  #under: Placed | undefined;
  /** A click on what is selected already selects it alone, unless a drag follows. */
  #clicked: readonly Handle[] | undefined;

  constructor(host: ControlHost) {
    this.#host = host;
  }

  get screen(): Screen {
    const { width, height } = this.#host.box();
    return { w: width, h: height };
  }

  /** The point of the table under a point of the window. */
  at(clientX: number, clientY: number): { x: number; y: number } {
    const { left, top } = this.#host.box();
    return toTable(this.camera, this.screen, clientX - left, clientY - top);
  }

  /** The thing under a point of the window. */
  thingAt(clientX: number, clientY: number): Handle | undefined {
    const { x, y } = this.at(clientX, clientY);
    return topmost(this.#host.placed(), x, y)?.handle;
  }

  /** The own drag as it is painted: under the pointer, even if somebody else moves its pieces meanwhile. */
  get paintedDrag(): Drag | undefined {
    const [drag, mode] = [this.drag, this.#mode];
    if (!drag || mode?.kind !== 'drag') return drag;
    const now = startOf(this.#host.view(), this.#host.placed(), mode.handles[0] ?? '');
    return now && { ...drag, dx: drag.dx + mode.start.x - now.x, dy: drag.dy + mode.start.y - now.y };
  }

  zoom(factor: number, clientX?: number, clientY?: number): void {
    const { left, top, width, height } = this.#host.box();
    const [x, y] = [
      clientX === undefined ? width / 2 : clientX - left,
      clientY === undefined ? height / 2 : clientY - top,
    ];
    this.#looked = true;
    this.#look(zoomed(this.camera, this.screen, factor, x, y));
  }

  /** Shows the whole table, and goes on to when the window changes. */
  fit(): void {
    this.#looked = false;
    this.#look(fitting(boundsOf(this.#host.placed()), this.screen));
  }

  pan(dx: number, dy: number): void {
    this.#looked = true;
    this.#look(panned(this.camera, dx, dy));
  }

  /** The window has another size: the whole table is shown again, unless somebody has chosen what to look at. */
  resized(): void {
    if (this.#looked || this.#down.size > 0) this.#host.changed();
    else this.fit();
  }

  freeSpot(w: number, h: number): { x: number; y: number } {
    const things = this.#host
      .placed()
      .filter(
        ({ shown, inside }) =>
          inside === undefined && shown.kind !== 'board' && shown.container?.kind !== 'zone',
      );
    const { screen, camera } = this;
    const [width, height] = [screen.w / camera.scale, screen.h / camera.scale];
    const [columns, rows] = [Math.floor((width * 0.4) / w), Math.floor((height * 0.4) / h)];
    // In front of the one who plays, and from there the nearest free place.
    const front = camera.y + height * 0.22;
    const spots: { x: number; y: number }[] = [];
    for (let column = -columns; column <= columns; column++) {
      for (let row = -rows; row <= rows; row++) {
        spots.push({ x: camera.x + column * (w + SPOT_GAP), y: front + row * (h + SPOT_GAP) });
      }
    }
    const way = ({ x, y }: { x: number; y: number }) => Math.hypot(x - camera.x, y - front);
    const isFree = ({ x, y }: { x: number; y: number }) =>
      Math.abs(y - camera.y) < (height - h) / 2 &&
      things.every((one) => Math.abs(one.x - x) >= (one.w + w) / 2 || Math.abs(one.y - y) >= (one.h + h) / 2);
    const found = spots.sort((a, b) => way(a) - way(b)).find(isFree);
    return found ?? { x: camera.x, y: camera.y };
  }

  down(event: Pointed): void {
    const { clientX: x, clientY: y } = event;
    this.#down.set(event.pointerId, { x, y, startX: x, startY: y });
    if (this.#down.size > 1) {
      this.#cancelDrag();
      this.#mode = { kind: 'pan' };
      return;
    }
    this.#mode = undefined;
    this.#clicked = undefined;
    const at = this.at(x, y);
    this.#under = topmost(this.#host.placed(), at.x, at.y);
    if (event.button !== 0 || this.panning) {
      this.#under = undefined;
      if (event.button === 1 || this.panning) this.#mode = { kind: 'pan' };
      return;
    }
    const selected = this.#host.selected();
    const handle = this.#under?.handle;
    if (handle === undefined) {
      if (!event.shiftKey) this.#host.select([]);
    } else if (event.shiftKey) {
      this.#host.select(
        selected.includes(handle) ? selected.filter((one) => one !== handle) : [...selected, handle],
      );
    } else if (selected.includes(handle)) this.#clicked = [handle];
    else if (this.#under && !isGround(this.#under, selected, handle)) this.#host.select([handle]);
    else this.#clicked = [handle];
  }

  move(event: Pointed): void {
    const { clientX: x, clientY: y } = event;
    const known = this.#down.get(event.pointerId);
    if (!known) {
      this.#hover(x, y);
      return;
    }
    const [dx, dy] = [x - known.x, y - known.y];
    if (this.#down.size > 1) {
      this.#pinch(event, dx, dy);
      return;
    }
    known.x = x;
    known.y = y;
    if (!this.#mode) {
      if (Math.hypot(x - known.startX, y - known.startY) < DRAG_FROM_PX) return;
      this.#begin(event, known);
    }
    this.#loose = event.altKey === true;
    this.#go(x, y, dx, dy);
  }

  up(event: Pointed): void {
    const known = this.#down.get(event.pointerId);
    this.#down.delete(event.pointerId);
    if (!known || this.#down.size > 0) return;
    const mode = this.#mode;
    this.#mode = undefined;
    this.box = undefined;
    if (mode?.kind === 'drag') void this.#letGo(mode.handles, mode.start, event.clientX, event.clientY);
    else if (!mode && this.#clicked) this.#host.select(this.#clicked);
    this.#host.changed();
  }

  cancel(event: Pick<PointerEvent, 'pointerId'>): void {
    this.#down.delete(event.pointerId);
    this.#stop();
  }

  /** Gives up everything that pointers do; false if that was nothing but being pressed. */
  abort(): boolean {
    const goes = this.#mode !== undefined;
    this.#down.clear();
    this.#clicked = undefined;
    this.#stop();
    return goes;
  }

  /** The act of letting pieces go over the table that do not lie on it, such as those of a hand. */
  dropping(handles: readonly Handle[], clientX: number, clientY: number): Act | undefined {
    const [view, at] = [this.#host.view(), this.at(clientX, clientY)];
    const shown = view.pieces.get(handles[0] ?? '');
    if (!shown) return undefined;
    const target = targetAt(view, this.#host.placed(), handles, at.x, at.y);
    this.#loose = false;
    return dropAct(view, handles, target, this.#restingPlace(handles, shown, target?.handle, at) ?? at);
  }

  #stop(): void {
    if (this.drag) this.#tellPlace();
    this.#cancelDrag();
    this.#mode = undefined;
    this.box = undefined;
    this.#host.changed();
  }

  /** Tells the others where the pointer is, and that it drags nothing. */
  #tellPlace(): void {
    const at = this.#dragged;
    if (at) this.#host.point([Math.round(at.x), Math.round(at.y)]);
  }

  /** Begins to measure where the pointer is; false if it is not over the table. */
  measure(): boolean {
    const at = this.#hovered;
    if (!at) return false;
    this.ruler ??= { from: at, to: at };
    this.#host.changed();
    return true;
  }

  /** Ends measuring, and answers where. */
  measured(): { readonly x: number; readonly y: number } | undefined {
    const at = this.ruler?.to;
    this.ruler = undefined;
    this.#host.changed();
    return at;
  }

  /** The pointer has left the table. */
  left(): void {
    this.over = undefined;
    this.#hovered = undefined;
  }

  wheel({ clientX, clientY, deltaX, deltaY, shiftKey }: WheelEvent): void {
    if (shiftKey) this.pan(-(deltaX || deltaY), 0);
    else this.zoom(Math.exp(-deltaY * WHEEL_RATE), clientX, clientY);
  }

  #look(camera: Camera): void {
    this.camera = camera;
    this.#host.changed();
  }

  #hover(x: number, y: number): void {
    const at = this.at(x, y);
    this.#hovered = at;
    if (this.ruler) {
      this.ruler = { from: this.ruler.from, to: at };
      this.#host.changed();
    }
    this.#host.point([Math.round(at.x), Math.round(at.y)]);
    this.over = this.thingAt(x, y);
  }

  #pinch(event: Pointed, dx: number, dy: number): void {
    const known = this.#down.get(event.pointerId);
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
    if (!known || !other) return;
    const before = Math.hypot(known.x - other.x, known.y - other.y);
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    this.pan(dx / 2, dy / 2);
    if (before > 0) this.zoom(after / before, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
    known.x = event.clientX;
    known.y = event.clientY;
  }

  /** Decides what a drag does, by where it began. */
  #begin(event: Pointed, { startX, startY }: { startX: number; startY: number }): void {
    const under = this.#under;
    const selected = this.#host.selected();
    this.#clicked = undefined;
    if (under && this.#host.mayMove() && !isGround(under, selected, under.handle)) {
      const at = this.at(startX, startY);
      const handles = draggedFrom(this.#host.view(), under, [at.x, at.y], selected, event.shiftKey);
      const movable = handles.filter((handle) => !this.#host.view().pieces.get(handle)?.locked);
      const start =
        movable[0] === undefined ? undefined : startOf(this.#host.view(), this.#host.placed(), movable[0]);
      if (start) {
        this.#mode = { kind: 'drag', handles: movable, start };
        this.#host.select(movable);
        return;
      }
    }
    this.#mode =
      event.pointerType === 'touch'
        ? { kind: 'pan' }
        : { kind: 'box', from: [startX, startY], keep: event.shiftKey ? selected : [] };
  }

  #go(x: number, y: number, dx: number, dy: number): void {
    const mode = this.#mode;
    if (mode?.kind === 'pan') this.pan(dx, dy);
    else if (mode?.kind === 'box') this.#selectBox(mode.from, mode.keep, x, y);
    else if (mode?.kind === 'drag') this.#dragTo(mode.handles, mode.start, x, y);
    this.#host.changed();
  }

  #selectBox([fromX, fromY]: readonly [number, number], keep: readonly Handle[], x: number, y: number): void {
    const { left, top } = this.#host.box();
    const [minX, maxX] = [Math.min(fromX, x) - left, Math.max(fromX, x) - left];
    const [minY, maxY] = [Math.min(fromY, y) - top, Math.max(fromY, y) - top];
    this.box = { x: minX, y: minY, w: maxX - minX, h: maxY - minY };
    const inside = this.#host.placed().filter((one) => {
      if (isGround(one, [], one.handle)) return false;
      const middle = toScreen(this.camera, this.screen, one.x, one.y);
      return middle.x >= minX && middle.x <= maxX && middle.y >= minY && middle.y <= maxY;
    });
    this.#host.select([...new Set([...keep, ...inside.map(({ handle }) => handle)])]);
  }

  #dragTo(handles: readonly Handle[], start: Placed, x: number, y: number): void {
    const known = [...this.#down.values()][0];
    if (!known) return;
    const dx = (x - known.startX) / this.camera.scale;
    const dy = (y - known.startY) / this.camera.scale;
    this.drag = { handles: new Set(handles), dx, dy };
    const at = this.at(x, y);
    this.#dragged = at;
    this.target = this.#outside(x, y)
      ? undefined
      : targetAt(this.#host.view(), this.#host.placed(), handles, at.x, at.y)?.handle;
    this.space = this.#outside(x, y)
      ? undefined
      : this.#restingPlace(handles, start.shown, this.target, { x: start.x + dx, y: start.y + dy });
    this.#host.point([Math.round(at.x), Math.round(at.y)], [Math.round(dx), Math.round(dy), 0]);
  }

  #outside(x: number, y: number): boolean {
    const { left, top, width, height } = this.#host.box();
    return x < left || y < top || x > left + width || y > top + height;
  }

  /** The pieces stay where they were let go, until the server has answered where that is not foreseen. */
  async #letGo(handles: readonly Handle[], start: Placed, x: number, y: number): Promise<void> {
    const { drag } = this;
    this.target = undefined;
    this.space = undefined;
    if (this.#outside(x, y)) {
      this.drag = undefined;
      this.#host.dropOutside(handles, x, y);
      this.#tellPlace();
      return;
    }
    const at = this.at(x, y);
    const target = targetAt(this.#host.view(), this.#host.placed(), handles, at.x, at.y);
    const loose = { x: start.x + (drag?.dx ?? 0), y: start.y + (drag?.dy ?? 0) };
    const to = this.#restingPlace(handles, start.shown, target?.handle, loose) ?? loose;
    const act = dropAct(this.#host.view(), handles, target, to);
    // From here on the view shows the move.
    if (act && isForeseen(this.#host.view(), act)) this.drag = undefined;
    const acted = act && this.#host.act(act);
    this.#tellPlace();
    await acted;
    if (this.drag === drag) this.drag = undefined;
    this.#host.changed();
  }

  /** The space of a board in whose middle a piece comes to rest that is let go at a place; Alt lays it down loose. */
  #restingPlace(
    handles: readonly Handle[],
    shown: Shown,
    target: Handle | undefined,
    at: { readonly x: number; readonly y: number },
  ): TableSpace | undefined {
    if (this.#loose || target !== undefined || shown.kind === 'board') return undefined;
    const [view, placed] = [this.#host.view(), this.#host.placed()];
    const spaces = tableSpaces(view, placed);
    // Pieces are counted only where there is a space: this runs at every move of the pointer.
    if (!restingPlace(spaces, at)) return undefined;
    return restingPlace(spaces, at, restingOf(view, placed, handles));
  }

  #cancelDrag(): void {
    this.drag = undefined;
    this.target = undefined;
    this.space = undefined;
  }
}
