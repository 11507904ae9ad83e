import { isArea, type Placed } from '../../core/play/arrange.ts';
import type { Drawn } from '../../core/play/looks.ts';
import type { Handle, Pointer, Shown } from '../../core/play/messages.ts';
import { cssColour, seatLetter } from '../../core/play/names.ts';
import { AREA_HEAD } from '../../core/play/set-up.ts';
import { type SidesOfView, shownSide } from '../../core/play/shown-side.ts';
import type { TableSpace } from '../../core/play/table-spaces.ts';
import type { TableView } from '../../core/play/view.ts';
import type { CardSize } from '../../core/scene/layout.ts';
import { type Camera, type Screen, toScreen } from './camera.ts';
import type { FaceCache, Wanted } from './face-cache.ts';

/** Colours of the table, from the theme. */
export interface TableColours {
  readonly felt: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly surface: string;
  readonly accent: string;
  readonly back: string;
  readonly note: string;
}

/** A pointer of somebody else, with the colour of the seat. */
export interface ShownPointer {
  readonly pointer: Pointer;
  readonly colour: string;
  readonly name: string;
}

/** The part of a view that is painted. */
type PaintedView = Pick<TableView, 'pieces' | 'faces' | 'backs' | 'common'>;

export interface TableScene {
  readonly view: PaintedView;
  readonly placed: readonly Placed[];
  readonly camera: Camera;
  readonly screen: Screen;
  readonly selected: ReadonlySet<Handle>;
  /** Pieces that are dragged, and by how much, in tenths of a millimetre. */
  readonly drag?: { readonly handles: ReadonlySet<Handle>; readonly dx: number; readonly dy: number };
  /** The pile or area that dragged pieces would go to. */
  readonly target?: Handle;
  /** The space of a board where dragged pieces would come to rest. */
  readonly space?: Pick<TableSpace, 'x' | 'y' | 'w' | 'h' | 'turn'>;
  /** A rectangle that selects, on the screen. */
  readonly box?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly pointers: readonly ShownPointer[];
  /** Places that people show: `age` from 0 to 1. */
  readonly pings: readonly {
    readonly x: number;
    readonly y: number;
    readonly colour: string;
    readonly age: number;
  }[];
  /** A line that is measured, in tenths of a millimetre. */
  readonly ruler?: { readonly from: Point; readonly to: Point };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

type Faces = Pick<FaceCache<Drawn>, 'get' | 'hasFailed'>;

/** Below this width a piece has no texts of its own on it, in CSS pixels. */
const LEAST_TEXT_PX = 22;
/** Cards that a pile shows below its top one, at most. */
const MAX_EDGES = 4;
const EDGE_PX = 1.5;
const FONT = 'Inter, system-ui, sans-serif';

/** Keys of drawn rows: each side is looked up in every frame. */
const keys = new WeakMap<Drawn, string>();

/** Key of a drawn row: the same for sides that look alike. */
export function drawnKey(drawn: Drawn): string {
  const known = keys.get(drawn);
  if (known !== undefined) return known;
  const key = JSON.stringify([drawn.layout, drawn.table, drawn.cells, drawn.index, drawn.count]);
  keys.set(drawn, key);
  return key;
}

/** The side of a piece that is seen, its drawing with its key. */
export function sideOf(
  view: SidesOfView,
  shown: Shown,
): { readonly drawn?: Wanted<Drawn>; readonly text: string; readonly size?: CardSize } {
  const { drawn, ...side } = shownSide(view, shown);
  return { ...side, ...(drawn && { drawn: { key: drawnKey(drawn), look: drawn } }) };
}

/** Paints a table on a canvas whose context is scaled to CSS pixels. */
export class TablePainter {
  readonly #faces: Faces;

  constructor(faces: Faces) {
    this.#faces = faces;
  }

  paint(ctx: CanvasRenderingContext2D, scene: TableScene, colours: TableColours, ratio: number): void {
    const { screen, camera, drag, placed } = scene;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = colours.felt;
    ctx.fillRect(0, 0, screen.w, screen.h);
    const moving = (one: Placed) =>
      drag !== undefined && (drag.handles.has(one.handle) || drag.handles.has(one.inside ?? ''));
    for (const one of placed) if (!moving(one)) this.#piece(ctx, one, scene, colours, ratio);
    if (scene.space) outlineSpace(ctx, scene.space, scene, colours);
    for (const one of placed) {
      if (!moving(one) || !drag) continue;
      const moved = { ...one, x: one.x + drag.dx, y: one.y + drag.dy };
      ctx.globalAlpha = 0.86;
      this.#piece(ctx, moved, scene, colours, ratio);
      ctx.globalAlpha = 1;
    }
    if (scene.box) outlineBox(ctx, scene.box, colours);
    if (scene.ruler) paintRuler(ctx, scene.ruler, scene, colours);
    for (const ping of scene.pings) paintPing(ctx, ping, camera, screen);
    for (const pointer of scene.pointers) paintPointer(ctx, pointer, camera, screen);
  }

  #piece(
    ctx: CanvasRenderingContext2D,
    one: Placed,
    { view, camera, screen, selected, target }: TableScene,
    colours: TableColours,
    ratio: number,
  ): void {
    const { x, y } = toScreen(camera, screen, one.x, one.y);
    const [w, h] = [one.w * camera.scale, one.h * camera.scale];
    const reach = Math.hypot(w, h) / 2 + 30;
    if (x + reach < 0 || y + reach < 0 || x - reach > screen.w || y - reach > screen.h) return;
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate((one.turn * Math.PI) / 180);
    // Before the piece, whose badges reach over it.
    if (selected.has(one.handle) || target === one.handle) {
      ctx.lineWidth = 2.5;
      ctx.strokeStyle = colours.accent;
      ctx.setLineDash(target === one.handle ? [6, 4] : []);
      const gap = 3;
      ctx.strokeRect(-w / 2 - gap, -h / 2 - gap, w + 2 * gap, h + 2 * gap);
      ctx.setLineDash([]);
    }
    const kind = one.shown.container?.kind;
    if (isArea(one.shown)) paintArea(ctx, one, w, h, camera.scale, colours);
    else if (kind === 'bag') paintBag(ctx, one, w, h, colours);
    else if (kind === 'stack') this.#stack(ctx, one, w, h, view, colours, ratio);
    else this.#side(ctx, one.shown, w, h, view, colours, ratio);
    if (one.shown.locked) badge(ctx, '⚿', w / 2 - 4, -h / 2 + 4, colours);
    ctx.restore();
  }

  #stack(
    ctx: CanvasRenderingContext2D,
    { shown, top }: Placed,
    w: number,
    h: number,
    view: PaintedView,
    colours: TableColours,
    ratio: number,
  ): void {
    const count = shown.container?.count ?? 0;
    if (count === 0 || !top) {
      roundedPath(ctx, w, h, Math.min(w, h) * 0.05);
      ctx.setLineDash([7, 5]);
      ctx.lineWidth = 1.5;
      ctx.strokeStyle = colours.line;
      ctx.stroke();
      ctx.setLineDash([]);
      label(ctx, shown.name ?? 'Pile', 0, 0, w - 8, colours.soft);
      if (count === 0) return;
    }
    const edges = Math.min(MAX_EDGES, Math.floor(Math.log2(Math.max(1, count))));
    for (let edge = edges; edge > 0; edge--) {
      ctx.save();
      ctx.translate(edge * EDGE_PX, edge * EDGE_PX);
      roundedPath(ctx, w, h, Math.min(w, h) * 0.05);
      ctx.fillStyle = colours.surface;
      ctx.fill();
      ctx.lineWidth = 0.75;
      ctx.strokeStyle = colours.line;
      ctx.stroke();
      ctx.restore();
    }
    if (top) this.#side(ctx, top, w, h, view, colours, ratio);
    if (w >= LEAST_TEXT_PX) badge(ctx, String(count), w / 2 - 2, h / 2 - 2, colours);
    if (shown.name && w >= LEAST_TEXT_PX) caption(ctx, shown.name, h / 2 + 7, Math.max(w * 1.2, 60), colours);
  }

  /** The side of a piece that is seen. */
  #side(
    ctx: CanvasRenderingContext2D,
    shown: Shown,
    w: number,
    h: number,
    view: PaintedView,
    colours: TableColours,
    ratio: number,
  ): void {
    if (shown.kind === 'note') {
      paintNote(ctx, shown, w, h, colours);
      return;
    }
    const { drawn, text, size } = sideOf(view, shown);
    ctx.shadowColor = 'rgb(20 12 4 / 30%)';
    ctx.shadowBlur = 4;
    ctx.shadowOffsetY = 1.5;
    const bitmap = drawn && this.#faces.get(drawn, w * ratio);
    if (bitmap) {
      ctx.drawImage(bitmap, -w / 2, -h / 2, w, h);
      ctx.shadowColor = 'transparent';
    } else {
      outlinePath(ctx, w, h, size);
      ctx.fillStyle = drawn ? colours.surface : colours.back;
      ctx.fill();
      ctx.shadowColor = 'transparent';
      if (!drawn || this.#faces.hasFailed(drawn.key)) {
        label(ctx, text, 0, 0, w - 6, drawn ? colours.ink : '#ffffff');
      }
    }
    if (shown.tint !== undefined) {
      outlinePath(ctx, w, h, size);
      ctx.globalAlpha = 0.35;
      ctx.fillStyle = cssColour(shown.tint);
      ctx.fill();
      ctx.globalAlpha = 1;
    }
    if (shown.known) badge(ctx, '◉', -w / 2 + 8, -h / 2 + 8, colours);
    if (shown.value !== undefined && shown.kind !== 'die') badge(ctx, String(shown.value), 0, 0, colours);
  }
}

function roundedPath(ctx: CanvasRenderingContext2D, w: number, h: number, radius: number): void {
  ctx.beginPath();
  ctx.roundRect(-w / 2, -h / 2, w, h, Math.min(radius, w / 2, h / 2));
}

function outlinePath(ctx: CanvasRenderingContext2D, w: number, h: number, size: CardSize | undefined): void {
  if (size?.shape === 'circle') {
    ctx.beginPath();
    ctx.ellipse(0, 0, w / 2, h / 2, 0, 0, 2 * Math.PI);
  } else if (size?.shape === 'hex-flat' || size?.shape === 'hex-pointy') {
    const points: readonly (readonly [number, number])[] =
      size.shape === 'hex-flat'
        ? [
            [-0.25, -0.5],
            [0.25, -0.5],
            [0.5, 0],
            [0.25, 0.5],
            [-0.25, 0.5],
            [-0.5, 0],
          ]
        : [
            [0, -0.5],
            [0.5, -0.25],
            [0.5, 0.25],
            [0, 0.5],
            [-0.5, 0.25],
            [-0.5, -0.25],
          ];
    ctx.beginPath();
    for (const [px, py] of points) ctx.lineTo(px * w, py * h);
    ctx.closePath();
  } else {
    const radius = size?.shape === 'rect' ? 0 : ((size?.radius ?? 3) * w) / (size?.w ?? 63);
    roundedPath(ctx, w, h, radius);
  }
}

function paintArea(
  ctx: CanvasRenderingContext2D,
  { shown }: Placed,
  w: number,
  h: number,
  scale: number,
  colours: TableColours,
): void {
  roundedPath(ctx, w, h, 8);
  ctx.globalAlpha *= 0.4;
  ctx.fillStyle = colours.surface;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1;
  ctx.strokeStyle = colours.line;
  ctx.stroke();
  const head = AREA_HEAD * scale;
  if (!shown.name || head < 7) return;
  ctx.font = `600 ${Math.min(14, head * 0.62)}px ${FONT}`;
  ctx.fillStyle = colours.soft;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(shown.name, -w / 2 + 8, -h / 2 + head / 2 + 1, w - 16);
}

function paintBag(
  ctx: CanvasRenderingContext2D,
  { shown }: Placed,
  w: number,
  h: number,
  colours: TableColours,
): void {
  roundedPath(ctx, w, h, w * 0.4);
  ctx.fillStyle = colours.back;
  ctx.fill();
  label(ctx, shown.name ?? 'Bag', 0, 0, w - 8, '#ffffff');
  const { count } = shown.container ?? {};
  if (count !== undefined) badge(ctx, String(count), w / 2 - 4, h / 2 - 4, colours);
}

function paintNote(
  ctx: CanvasRenderingContext2D,
  { text = '' }: Shown,
  w: number,
  h: number,
  colours: TableColours,
): void {
  ctx.shadowColor = 'rgb(20 12 4 / 30%)';
  ctx.shadowBlur = 4;
  roundedPath(ctx, w, h, 3);
  ctx.fillStyle = colours.note;
  ctx.fill();
  ctx.shadowColor = 'transparent';
  const size = Math.max(4, Math.min(16, h / 6));
  ctx.font = `${size}px ${FONT}`;
  ctx.fillStyle = '#2b2416';
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  for (const [index, line] of wrapped(ctx, text, w - size)
    .slice(0, 5)
    .entries()) {
    ctx.fillText(line, -w / 2 + size / 2, -h / 2 + size / 2 + index * size * 1.1, w - size);
  }
}

function wrapped(ctx: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && ctx.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

function label(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  width: number,
  colour: string,
): void {
  if (width < LEAST_TEXT_PX) return;
  const size = Math.max(8, Math.min(14, width / 6));
  ctx.font = `600 ${size}px ${FONT}`;
  ctx.fillStyle = colour;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const lines = wrapped(ctx, text, width).slice(0, 3);
  for (const [index, line] of lines.entries()) {
    ctx.fillText(line, x, y + (index - (lines.length - 1) / 2) * size * 1.15, width);
  }
}

/** A name below a pile. */
function caption(
  ctx: CanvasRenderingContext2D,
  text: string,
  y: number,
  width: number,
  colours: TableColours,
): void {
  ctx.font = `500 11px ${FONT}`;
  ctx.fillStyle = colours.soft;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.fillText(text, 0, y, width);
}

function badge(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  colours: TableColours,
): void {
  ctx.font = `600 11px ${FONT}`;
  const width = Math.max(18, ctx.measureText(text).width + 10);
  ctx.beginPath();
  ctx.roundRect(x - width / 2, y - 9, width, 18, 9);
  ctx.fillStyle = colours.ink;
  ctx.fill();
  ctx.fillStyle = colours.surface;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, y + 0.5);
}

function outlineSpace(
  ctx: CanvasRenderingContext2D,
  space: NonNullable<TableScene['space']>,
  { camera, screen }: TableScene,
  colours: TableColours,
): void {
  const { x, y } = toScreen(camera, screen, space.x, space.y);
  const [w, h] = [space.w * camera.scale, space.h * camera.scale];
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate((space.turn * Math.PI) / 180);
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = colours.accent;
  ctx.setLineDash([6, 4]);
  ctx.strokeRect(-w / 2, -h / 2, w, h);
  ctx.restore();
}

function outlineBox(
  ctx: CanvasRenderingContext2D,
  { x, y, w, h }: NonNullable<TableScene['box']>,
  colours: TableColours,
): void {
  ctx.lineWidth = 1;
  ctx.strokeStyle = colours.accent;
  ctx.strokeRect(x, y, w, h);
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = colours.accent;
  ctx.fillRect(x, y, w, h);
  ctx.globalAlpha = 1;
}

function paintPointer(
  ctx: CanvasRenderingContext2D,
  { pointer: [seat, px, py], colour, name }: ShownPointer,
  camera: Camera,
  screen: Screen,
): void {
  const { x, y } = toScreen(camera, screen, px, py);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + 4, y + 15);
  ctx.lineTo(x + 8, y + 9);
  ctx.lineTo(x + 15, y + 8);
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 1.2;
  ctx.strokeStyle = '#ffffff';
  ctx.stroke();
  const text = `${seatLetter(seat)} ${name}`;
  ctx.font = `600 11px ${FONT}`;
  const width = ctx.measureText(text).width + 10;
  ctx.beginPath();
  ctx.roundRect(x + 12, y + 13, width, 18, 9);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.fillStyle = inkOn(colour);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + 17, y + 22.5);
}

/** Radii of a ring around a place that somebody shows, in CSS pixels. */
const [PING_FROM, PING_TO] = [8, 44];

function paintPing(
  ctx: CanvasRenderingContext2D,
  { x: px, y: py, colour, age }: TableScene['pings'][number],
  camera: Camera,
  screen: Screen,
): void {
  const { x, y } = toScreen(camera, screen, px, py);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 4;
  ctx.globalAlpha = 1 - age;
  for (const share of [age, age / 2]) {
    ctx.beginPath();
    ctx.arc(x, y, PING_FROM + (PING_TO - PING_FROM) * share, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

function paintRuler(
  ctx: CanvasRenderingContext2D,
  { from, to }: NonNullable<TableScene['ruler']>,
  { camera, screen }: TableScene,
  colours: TableColours,
): void {
  const [a, b] = [toScreen(camera, screen, from.x, from.y), toScreen(camera, screen, to.x, to.y)];
  ctx.lineWidth = 2;
  ctx.strokeStyle = colours.accent;
  ctx.beginPath();
  ctx.moveTo(a.x, a.y);
  ctx.lineTo(b.x, b.y);
  ctx.stroke();
  const text = lengthWords(Math.hypot(to.x - from.x, to.y - from.y));
  ctx.font = `600 12px ${FONT}`;
  const width = ctx.measureText(text).width + 14;
  const [x, y] = [(a.x + b.x) / 2 - width / 2, (a.y + b.y) / 2 - 12];
  ctx.beginPath();
  ctx.roundRect(x, y, width, 24, 12);
  ctx.fillStyle = colours.surface;
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = colours.ink;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + 7, y + 12.5);
}

/** A length on the table in words, from tenths of a millimetre. */
export function lengthWords(tenths: number): string {
  const mm = tenths / 10;
  return `${mm < 100 ? `${mm.toFixed(0)} mm` : `${(mm / 10).toFixed(1)} cm`} · ${(mm / 25.4).toFixed(1)} in`;
}

/** Black or white, whichever is read on a colour. */
export function inkOn(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  const [r, g, b] = [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? '#1c1710' : '#ffffff';
}
