import { AREA_HEAD } from '../../core/play/box/set-up.ts';
import type { Drawn } from '../../core/play/protocol/looks.ts';
import type { Shown } from '../../core/play/protocol/messages.ts';
import { isArea, type Placed } from '../../core/play/view/arrange.ts';
import { cssColour } from '../../core/play/view/names.ts';
import { type SidesOfView, shownSide } from '../../core/play/view/shown-side.ts';
import type { Point, Rect } from '../../core/scene/display/matrix.ts';
import type { CardSize } from '../../core/scene/layout.ts';
import { intersect } from '../canvas/bounds.ts';
import type { MakeCanvas } from '../painting.ts';
import { isEmpty } from './areas.ts';
import { areaShown, type Camera, cameraOver, type Screen, toScreen } from './camera.ts';
import type { FaceCache, Wanted } from './face-cache.ts';
import { KeptLayer, type Resting } from './kept-layer.ts';
import { outlineBox, outlineSpace, paintPing, paintPointer, paintRuler } from './table-overlays.ts';
import { type PaintedView, TABLE_FONT, type TableColours, type TableScene } from './table-scene.ts';

type Faces = Pick<FaceCache<Drawn>, 'get' | 'hasFailed' | 'version'>;

/** Everything that decides how a thing at rest is painted, but itself. */
interface Look {
  readonly view: PaintedView;
  readonly colours: TableColours;
  readonly ratio: number;
}

/** The part of the table that a canvas shows. */
interface Shows {
  readonly camera: Camera;
  readonly screen: Screen;
  /** The device pixel of the table that its first one shows. */
  readonly corner: Point;
}

/** Below this width a piece has no texts of its own on it, in CSS pixels. */
const LEAST_TEXT_PX = 22;
/** Cards that a pile shows below its top one, at most. */
const MAX_EDGES = 4;
const EDGE_PX = 1.5;
/**
 * Room that a thing is painted in, as a share of its diagonal from its middle, and in CSS pixels more: names and badges
 * reach over it.
 */
const [REACH_SHARE, REACH_PX] = [0.6, 60];

/** Keys of drawn rows: each side is looked up in every frame. */
const keys = new WeakMap<Drawn, string>();

/** Key of a drawn row: the same for sides that look alike. */
export function drawnKey(drawn: Drawn): string {
  const known = keys.get(drawn);
  if (known !== undefined) return known;
  const { layout, table, cells, index, count, words, languages } = drawn;
  const key = JSON.stringify([layout, table, cells, index, count, words, languages]);
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

/** The device pixels of the table that a thing is painted in. */
function areaOf({ x, y, w, h }: Placed, scale: number, ratio: number): Rect {
  const reach = (Math.hypot(w, h) * scale * REACH_SHARE + REACH_PX) * ratio;
  const [left, top] = [Math.floor(x * scale * ratio - reach), Math.floor(y * scale * ratio - reach)];
  return { x: left, y: top, w: Math.ceil(2 * reach) + 1, h: Math.ceil(2 * reach) + 1 };
}

/** Time after the last step of a zoom after which the table is painted as sharp as it can be, in milliseconds. */
export const SHARP_AFTER_MS = 120;

/** Paints a table on a canvas: what moves, over a layer of all that lies still. */
export class TablePainter {
  readonly #faces: Faces;
  readonly #layer: KeptLayer | undefined;
  #scale: number | undefined;
  #zoomedAt = Number.NEGATIVE_INFINITY;

  /** @param makeCanvas makes the canvas of the layer; without it everything is painted in each frame */
  constructor(faces: Faces, makeCanvas?: MakeCanvas) {
    this.#faces = faces;
    this.#layer = makeCanvas && new KeptLayer(makeCanvas);
  }

  /**
   * Paints a frame. @param now the time in milliseconds; without it a zoom is never blurred
   * @returns false for a frame of a zoom, which is to be painted again once that is over
   */
  paint(
    ctx: CanvasRenderingContext2D,
    scene: TableScene,
    colours: TableColours,
    ratio: number,
    now = Number.POSITIVE_INFINITY,
  ): boolean {
    const { view, drags, placed, target, selected } = scene;
    const { scale } = scene.camera;
    // Whole pixels: a layer that is copied is as sharp as one that is painted.
    const area = areaShown(scene.camera, scene.screen, ratio);
    const showsFrom = ({ x, y }: Point): Shows => ({
      ...cameraOver({ ...area, x, y }, scale, ratio),
      corner: { x, y },
    });
    const shows = showsFrom(area);
    const look = { view, colours, ratio };
    const things: Resting[] = [];
    const moving: Resting[] = [];
    for (const one of placed) {
      const { handle, inside = '' } = one;
      const mark = target === handle ? 'target' : selected.has(handle) ? 'selected' : 'none';
      const drag = drags.findLast(({ handles }) => handles.has(handle) || handles.has(inside));
      if (drag) {
        moving.push({ one: { ...one, x: one.x + drag.dx, y: one.y + drag.dy }, mark });
      } else things.push({ one, mark });
    }
    const looks = [ratio, colours, view.faces, view.backs, view.common];
    const rest = { things, looks, scale: scale * ratio, pictures: this.#faces.version };
    const blurred = this.#isZooming(scale, now) && this.#layer?.stretch(ctx, area, rest, colours.felt);
    const kept =
      blurred ||
      this.#layer?.show(ctx, area, ratio, rest, {
        areaOf: (one) => areaOf(one, scale, ratio),
        paint: (layer, corner, part) => this.#rest(layer, things, look, showsFrom(corner), part),
      });
    if (!kept) this.#rest(ctx, things, look, shows, area);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (scene.space) outlineSpace(ctx, scene.space, shows, colours);
    for (const thing of moving) {
      if (isEmpty(intersect(areaOf(thing.one, scale, ratio), area))) continue;
      ctx.globalAlpha = 0.86;
      this.#piece(ctx, thing, look, shows);
      ctx.globalAlpha = 1;
    }
    if (scene.box) outlineBox(ctx, scene.box, colours);
    if (scene.ruler) paintRuler(ctx, scene.ruler, shows, colours);
    for (const ping of scene.pings) paintPing(ctx, ping, shows.camera, shows.screen);
    for (const pointer of scene.pointers) paintPointer(ctx, pointer, shows.camera, shows.screen);
    return !blurred;
  }

  /** True while the scale changes. */
  #isZooming(scale: number, now: number): boolean {
    if (this.#scale !== undefined && this.#scale !== scale) this.#zoomedAt = now;
    this.#scale = scale;
    return Number.isFinite(now) && now - this.#zoomedAt < SHARP_AFTER_MS;
  }

  /** The felt and all that lies still in an area. */
  #rest(
    ctx: CanvasRenderingContext2D,
    things: readonly Resting[],
    look: Look,
    shows: Shows,
    area: Rect,
  ): void {
    const { colours, ratio } = look;
    const {
      camera: { scale },
      corner,
    } = shows;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = colours.felt;
    ctx.fillRect(area.x - corner.x, area.y - corner.y, area.w, area.h);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const thing of things) {
      if (!isEmpty(intersect(areaOf(thing.one, scale, ratio), area))) this.#piece(ctx, thing, look, shows);
    }
  }

  #piece(
    ctx: CanvasRenderingContext2D,
    { one, mark }: Resting,
    { view, colours, ratio }: Look,
    { camera, screen }: Shows,
  ): void {
    const { x, y } = toScreen(camera, screen, one.x, one.y);
    const [w, h] = [one.w * camera.scale, one.h * camera.scale];
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate((one.turn * Math.PI) / 180);
    // Before the piece, whose badges reach over it.
    if (mark !== 'none') {
      ctx.lineWidth = 2.5;
      ctx.strokeStyle = colours.accent;
      ctx.setLineDash(mark === 'target' ? [6, 4] : []);
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
  ctx.font = `600 ${Math.min(14, head * 0.62)}px ${TABLE_FONT}`;
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
  ctx.font = `${size}px ${TABLE_FONT}`;
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
  ctx.font = `600 ${size}px ${TABLE_FONT}`;
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
  ctx.font = `500 11px ${TABLE_FONT}`;
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
  ctx.font = `600 11px ${TABLE_FONT}`;
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
