import type { Placed } from '../../core/play/view/arrange.ts';
import type { Point, Rect } from '../../core/scene/display/matrix.ts';
import { intersect } from '../canvas/bounds.ts';
import type { MakeCanvas } from '../painting.ts';
import { covers, isEmpty, without } from './areas.ts';

/** Pixels of the layer at most: 64 MiB. A view that is larger is painted anew in each frame. */
export const MAX_LAYER_PIXELS = 16 * 1024 * 1024;
/** Margin around the view as a share of its shorter side, and at most, in CSS pixels: a way that panning goes in a second. */
const [MARGIN_SHARE, MAX_MARGIN_PX] = [0.25, 256];
/** Scales at which the layer still passes for the table, as shares of its own: nearer it is a blur, farther it has edges. */
const [MIN_STRETCH, MAX_STRETCH] = [0.75, 2];
/** With more areas changed, painting all that is in view is faster. */
const MAX_CHANGED_AREAS = 24;

/** A thing that lies still, with the mark around it. */
export interface Resting {
  readonly one: Placed;
  readonly mark: Mark;
}

type Mark = 'none' | 'selected' | 'target';

/** All that the layer shows. */
export interface Rest {
  readonly things: readonly Resting[];
  /** Device pixels for a tenth of a millimetre: at another one all is painted anew. */
  readonly scale: number;
  /** Version of the faces' pictures: with another one all is painted anew, but not while a zoom goes on. */
  readonly pictures: number;
  /** Looks of everything, such as the colours: when one of them is another, all is painted anew. */
  readonly looks: readonly unknown[];
}

/** Tools of whoever paints. Areas are in device pixels of the table. */
export interface RestPainter {
  /** Paints all that rests in an area on a canvas whose first pixel shows the point `corner`; other pixels are clipped. */
  paint(ctx: CanvasRenderingContext2D, corner: Point, area: Rect): void;
  /** The area that a thing is painted in, with everything around it. */
  areaOf(one: Placed): Rect;
}

/**
 * Everything on a table that lies still, painted once on a canvas that reaches over the view on all sides. Frames copy
 * it, shifted by whole pixels. What changes is painted anew in its own area only; so is what comes into view.
 */
export class KeptLayer {
  readonly #makeCanvas: MakeCanvas;
  #canvas: OffscreenCanvas | undefined;
  /** The part of the table that the canvas can show. */
  #whole: Rect = { x: 0, y: 0, w: 0, h: 0 };
  /** The part of it that is painted. */
  #painted: Rect = this.#whole;
  #rest: Rest | undefined;

  constructor(makeCanvas: MakeCanvas) {
    this.#makeCanvas = makeCanvas;
  }

  /**
   * Paints all that rests on a canvas as large as the view.
   * @returns false if the view is empty, or too large to be kept: nothing has been painted then
   */
  show(ctx: CanvasRenderingContext2D, view: Rect, ratio: number, rest: Rest, painter: RestPainter): boolean {
    const margin = marginAround(view, ratio);
    const canvas = margin === undefined ? undefined : this.#sized(view.w + 2 * margin, view.h + 2 * margin);
    const layer = canvas?.getContext('2d') as unknown as CanvasRenderingContext2D | null | undefined;
    if (margin === undefined || !canvas || !layer) {
      this.#forget();
      return false;
    }
    const whole = { x: view.x - margin, y: view.y - margin, w: canvas.width, h: canvas.height };
    const changed = this.#changedIn(rest, painter);
    if (!changed || isEmpty(intersect(this.#painted, whole))) {
      this.#whole = whole;
      this.#painted = view;
      this.#paint(layer, [view], painter);
    } else {
      if (!covers(this.#painted, view)) this.#shift(layer, canvas, whole, painter);
      this.#paint(layer, changed, painter);
    }
    this.#rest = rest;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    const { x, y } = this.#whole;
    ctx.drawImage(canvas, view.x - x, view.y - y, view.w, view.h, 0, 0, view.w, view.h);
    return true;
  }

  /**
   * Paints what the layer shows at another scale: blurred, and with nothing beside it but `felt`. For the frames of a
   * zoom, which would paint everything anew.
   * @returns false if that would not be what rests there, or not look like it: nothing has been painted then
   */
  stretch(ctx: CanvasRenderingContext2D, view: Rect, rest: Rest, felt: string): boolean {
    const before = this.#rest;
    const canvas = this.#canvas;
    if (!before || !canvas || !looksAlike(before, rest)) return false;
    const factor = rest.scale / before.scale;
    if (factor < MIN_STRETCH || factor > MAX_STRETCH) return false;
    if (changedThings(before.things, rest.things)?.length !== 0) return false;
    const { x, y, w, h } = this.#painted;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = felt;
    ctx.fillRect(0, 0, view.w, view.h);
    const [left, top] = [x * factor - view.x, y * factor - view.y];
    const corner = this.#whole;
    ctx.drawImage(canvas, x - corner.x, y - corner.y, w, h, left, top, w * factor, h * factor);
    return true;
  }

  /** The areas that no longer show what rests there; undefined if all of it is to be painted anew. */
  #changedIn(rest: Rest, painter: RestPainter): readonly Rect[] | undefined {
    const before = this.#rest;
    if (before?.scale !== rest.scale || before.pictures !== rest.pictures) return undefined;
    if (!looksAlike(before, rest)) return undefined;
    const changed = changedThings(before.things, rest.things);
    return changed && changed.length <= MAX_CHANGED_AREAS ? changed.map(painter.areaOf) : undefined;
  }

  /** Moves what is painted to where the canvas shows another part of the table, and paints what is new in it. */
  #shift(layer: CanvasRenderingContext2D, canvas: OffscreenCanvas, whole: Rect, painter: RestPainter): void {
    const kept = intersect(this.#painted, whole);
    layer.setTransform(1, 0, 0, 1, 0, 0);
    layer.globalCompositeOperation = 'copy';
    layer.drawImage(canvas, this.#whole.x - whole.x, this.#whole.y - whole.y);
    layer.globalCompositeOperation = 'source-over';
    this.#whole = whole;
    this.#painted = whole;
    this.#paint(layer, without(whole, kept), painter);
  }

  #paint(layer: CanvasRenderingContext2D, areas: readonly Rect[], painter: RestPainter): void {
    for (const one of areas) {
      const area = intersect(one, this.#painted);
      if (isEmpty(area)) continue;
      layer.save();
      layer.setTransform(1, 0, 0, 1, 0, 0);
      layer.beginPath();
      layer.rect(area.x - this.#whole.x, area.y - this.#whole.y, area.w, area.h);
      layer.clip();
      painter.paint(layer, this.#whole, area);
      layer.restore();
    }
  }

  #sized(w: number, h: number): OffscreenCanvas {
    const known = this.#canvas;
    if (known?.width === w && known.height === h) return known;
    this.#forget();
    const canvas = this.#makeCanvas(w, h);
    // A graphics card that was reset has lost the pixels.
    canvas.oncontextlost = () => {
      if (this.#canvas === canvas) this.#forget();
    };
    this.#canvas = canvas;
    return canvas;
  }

  #forget(): void {
    this.#canvas = undefined;
    this.#rest = undefined;
  }
}

/** True if everything looks alike, but for the scale and the pictures. */
const looksAlike = ({ looks: a }: Rest, { looks: b }: Rest): boolean =>
  a.length === b.length && a.every((look, index) => look === b[index]);

/** Device pixels kept on each side of a view; undefined if the view is empty or too large. */
function marginAround({ w, h }: Rect, ratio: number): number | undefined {
  if (w <= 0 || h <= 0 || w * h > MAX_LAYER_PIXELS) return undefined;
  const wanted = Math.round(Math.min(Math.min(w, h) * MARGIN_SHARE, MAX_MARGIN_PX * ratio));
  // The largest margin m with (w + 2m)(h + 2m) within the limit.
  const most = (Math.sqrt((w - h) ** 2 + 4 * MAX_LAYER_PIXELS) - w - h) / 4;
  return Math.min(wanted, Math.floor(most));
}

/**
 * Things that look otherwise or lie elsewhere than before, each as it was and as it is; undefined if others have changed
 * their order.
 */
function changedThings(before: readonly Resting[], after: readonly Resting[]): readonly Placed[] | undefined {
  if (before.length === after.length && after.every((thing, index) => looksLike(before[index], thing)))
    return [];
  const known = new Map(before.map(({ one }, index) => [one.handle, index]));
  const changed: Placed[] = [];
  let last = -1;
  for (const thing of after) {
    const index = known.get(thing.one.handle);
    const former = index === undefined ? undefined : before[index];
    known.delete(thing.one.handle);
    if (index === undefined || !former) changed.push(thing.one);
    else if (!looksLike(former, thing)) changed.push(former.one, thing.one);
    else if (index < last) return undefined;
    else last = index;
  }
  for (const index of known.values()) {
    const gone = before[index];
    if (gone) changed.push(gone.one);
  }
  return changed;
}

function looksLike(a: Resting | undefined, b: Resting): boolean {
  if (!a || a.mark !== b.mark) return false;
  const [one, two] = [a.one, b.one];
  if (one === two) return true;
  return (
    one.handle === two.handle &&
    one.shown === two.shown &&
    one.top === two.top &&
    one.x === two.x &&
    one.y === two.y &&
    one.w === two.w &&
    one.h === two.h &&
    one.turn === two.turn
  );
}
