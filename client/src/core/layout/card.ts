import { resolve } from '../scene/card/resolve.ts';
import type { Row } from '../scene/card/row.ts';
import { clipShape } from '../scene/display/clip-path.ts';
import type {
  DisplayList,
  Issue,
  MaskPaint,
  Op,
  Outline,
  PushOp,
  ZoneFrame,
} from '../scene/display/display-list.ts';
import {
  aboutCentre,
  IDENTITY,
  isIdentity,
  type Matrix,
  multiply,
  type Rect,
} from '../scene/display/matrix.ts';
import { polygonPoints, rectOutline } from '../scene/display/outline.ts';
import type { CardSize, Layout, Variable } from '../scene/layout.ts';
import type { ImagePlacement } from '../scene/style/image-placement.ts';
import type { Fill, Filter } from '../scene/style/paint.ts';
import type { HanForms } from '../text/fonts/east-asian.ts';
import { formsOf } from '../text/fonts/forms-of.ts';
import type { Assets } from './assets.ts';
import { type ShownContainer, type ShownZone, sourceId } from './card-data.ts';
import { flexBoxes } from './flex.ts';
import { fillOps, rasterPush, shadowOps, strokeOps } from './paints.ts';
import { imageOps, maskPaint } from './place-image.ts';
import { missingName, placeholderOps } from './placeholder.ts';
import { resolveTree } from './resolve-tree.ts';
import type { CardPainter } from './zone-layout.ts';
import { leafLayout } from './zones.ts';

/**
 * Lays a card out: the layout's document and one row in, a display list out. Pure and synchronous; fonts and image
 * sizes must be in `assets` already (see `text/fonts/required-faces.ts`). Never fails: features that cannot be painted as
 * asked are reported in `issues`.
 */
export function layout(document: Layout, row: Row, assets: Assets): DisplayList {
  const issues: Issue[] = [];
  const zones = resolveTree(document.zones, row, assets.columns, issues);
  const card = new CardLayout(document, row, assets, issues);
  card.base();
  for (const zone of zones) {
    card.zone(zone, { x: zone.x, y: zone.y, w: zone.w, h: zone.h }, IDENTITY, 'base', new Map());
  }
  return {
    w: document.size.w,
    h: document.size.h,
    bleed: document.bleed,
    trim: trimOutline(document.size),
    ops: card.ops,
    zones: card.frames,
    // An issue of a repeated zone belongs to the document's zone and is reported once.
    issues: distinct(issues.map((issue) => ({ ...issue, zone: sourceId(issue.zone) }))),
  };
}

function distinct(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ zone, code, message }) => {
    const key = `${zone} ${code} ${message}`;
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}

/** The edge of the finished card. */
export function trimOutline(size: CardSize): Outline {
  const box = { x: 0, y: 0, w: size.w, h: size.h };
  const { w, h } = box;
  switch (size.shape) {
    case 'rect':
      return rectOutline(box);
    case 'rounded':
      return rectOutline(box, [size.radius, size.radius, size.radius, size.radius]);
    case 'circle':
      return { kind: 'ellipse', box };
    case 'hex-pointy':
      return { kind: 'polygon', points: polygonPoints(box, 6, null) };
    case 'hex-flat':
      return {
        kind: 'polygon',
        points: [
          { x: w / 4, y: 0 },
          { x: (3 * w) / 4, y: 0 },
          { x: w, y: h / 2 },
          { x: (3 * w) / 4, y: h },
          { x: w / 4, y: h },
          { x: 0, y: h / 2 },
        ],
      };
  }
}

class CardLayout implements CardPainter {
  readonly ops: Op[] = [];
  readonly frames: ZoneFrame[] = [];
  readonly #document: Layout;
  readonly row: Row;
  readonly assets: Assets;
  readonly #issues: Issue[];
  readonly #computed = new Map<string, unknown>();

  constructor(document: Layout, row: Row, assets: Assets, issues: Issue[]) {
    this.#document = document;
    this.row = row;
    this.assets = assets;
    this.#issues = issues;
  }

  get variables(): readonly Variable[] {
    return this.#document.variables;
  }

  get forms(): HanForms {
    return formsOf(this.#document, this.row);
  }

  base(): void {
    const { size, bleed } = this.#document;
    const { zone, issues } = resolve(this.#document.base, this.row, this.assets.columns);
    this.#issues.push(...issues);
    const edge = bleed as number;
    const full = { x: -edge, y: -edge, w: size.w + 2 * edge, h: size.h + 2 * edge };
    const trim = trimOutline(size);
    this.#fill('base', rectOutline(full), zone.fill, full);
    if (zone.image.source.trim() !== '' && zone.image.opacity > 0) {
      this.image('base', zone.image.source, zone.image, full, rectOutline(full), zone.image.opacity);
    }
    this.ops.push(...strokeOps(trim, zone.stroke));
    this.frames.push({
      id: 'base',
      name: 'Base',
      kind: 'base',
      zone: 'base',
      parent: null,
      box: { x: 0, y: 0, w: size.w, h: size.h },
      matrix: IDENTITY,
      outline: trim,
      text: '',
      fittedSize: 0,
    });
  }

  /** @param box the zone's place in card coordinates, before its own rotation */
  zone(zone: ShownZone, box: Rect, outer: Matrix, parent: string, placed: ReadonlyMap<string, Rect>): void {
    const flexed = zone.kind === 'container' && zone.arrange === 'flex' && !placed.has(zone.id);
    const boxes = flexed ? this.#flex(zone) : placed;
    const own = flexed ? { ...box, h: boxes.get(zone.id)?.h ?? box.h } : box;
    const turn = aboutCentre(own, zone.rotation, zone.flipX, zone.flipY);
    const grouped = !isIdentity(turn) || zone.opacity < 1 || zone.blend !== 'normal';
    if (zone.opacity <= 0) return;
    const outline = this.#outline(zone, own);
    const matrix = multiply(outer, turn);
    const frame = this.frames.length;
    this.frames.push(frameOf(zone, parent, own, matrix, outline));
    const begins = this.ops.length;
    if (grouped)
      this.ops.push({ op: 'push', matrix: turn, clip: null, opacity: zone.opacity, blend: zone.blend });
    const effects = this.#effects(zone, own);
    if (effects) this.ops.push(effects);
    this.ops.push(...shadowOps(outline, zone.shadows));
    this.#fill(zone.id, outline, zone.fill, own);
    const clipped = outline.kind === 'path';
    if (clipped) this.ops.push({ op: 'push', matrix: IDENTITY, clip: outline, opacity: 1, blend: 'normal' });
    this.#content(zone, own, outline, matrix, boxes, frame);
    if (clipped) this.ops.push({ op: 'pop' });
    this.ops.push(...strokeOps(outline, zone.stroke));
    if (effects) this.ops.push({ op: 'pop' });
    if (grouped) this.ops.push({ op: 'pop' });
    const known = this.frames[frame];
    if (known && this.#nothingSince(begins)) this.frames[frame] = { ...known, blank: true };
  }

  /** True if no operation from `begins` on paints. */
  #nothingSince(begins: number): boolean {
    for (let at = begins; at < this.ops.length; at++) {
      const op = this.ops[at]?.op;
      if (op !== 'push' && op !== 'pop') return false;
    }
    return true;
  }

  /** The zone's clip shape, or its natural outline without a readable one. */
  #outline(zone: ShownZone, box: Rect): Outline {
    if (zone.clipPath.trim() !== '') {
      const commands = clipShape(zone.clipPath, box);
      if (commands) return { kind: 'path', commands, evenOdd: true };
      this.#issues.push({
        zone: zone.id,
        code: 'bad-clip',
        path: 'clipPath',
        message: 'The clip shape cannot be read: it wants SVG path data or polygon().',
      });
    }
    return zone.kind === 'container' ? rectOutline(box, zone.radius) : leafLayout(zone).outline(zone, box);
  }

  /** The group that filters and masks the zone; undefined without effects. */
  #effects(zone: ShownZone, box: Rect): PushOp | undefined {
    const filters = zone.filters.filter(changesSomething);
    const mask = this.#mask(zone, box);
    if (filters.length === 0 && !mask) return undefined;
    return {
      ...rasterPush(mask ? 'mask' : 'filter'),
      ...(filters.length > 0 && { filters }),
      ...(mask && { mask }),
    };
  }

  #mask({ id, mask }: ShownZone, box: Rect): MaskPaint | undefined {
    if (mask.source.trim() === '') return undefined;
    const size = this.assets.images.size(mask.source);
    if (!size) {
      this.missingImage(id, mask.source);
      return undefined;
    }
    return maskPaint(mask, size, box);
  }

  #fill(id: string, outline: Outline, fill: Fill, box: Rect): void {
    if (fill.kind === 'image') {
      if (fill.source.trim() !== '') this.image(id, fill.source, fill, box, outline, 1);
    } else this.ops.push(...fillOps(outline, fill, box));
  }

  #content(
    zone: ShownZone,
    box: Rect,
    outline: Outline,
    matrix: Matrix,
    boxes: ReadonlyMap<string, Rect>,
    frame: number,
  ): void {
    if (zone.kind === 'container') {
      this.#children(zone, box, outline, matrix, boxes);
      return;
    }
    const painted = leafLayout(zone).paint(zone, box, outline, this);
    const known = this.frames[frame];
    if (painted && known) this.frames[frame] = { ...known, ...painted };
  }

  #children(
    zone: ShownContainer,
    box: Rect,
    outline: Outline,
    matrix: Matrix,
    boxes: ReadonlyMap<string, Rect>,
  ): void {
    if (zone.clip)
      this.ops.push({ op: 'push', matrix: IDENTITY, clip: outline, opacity: 1, blend: 'normal' });
    for (const child of zone.children) {
      // Boxes from flex hold only while the chain of flex containers is unbroken.
      const given = zone.arrange === 'flex' ? boxes.get(child.id) : undefined;
      const { x, y, w, h } = given ?? child;
      const place = { x: box.x + x, y: box.y + y, w, h };
      this.zone(child, place, matrix, zone.id, given ? boxes : new Map());
    }
    if (zone.clip) this.ops.push({ op: 'pop' });
  }

  #flex(container: ShownContainer): Map<string, Rect> {
    return flexBoxes(container, (zone) => leafLayout(zone).naturalHeight?.(zone, this));
  }

  once<T>(zone: string, compute: () => T): T {
    if (!this.#computed.has(zone)) this.#computed.set(zone, compute());
    return this.#computed.get(zone) as T;
  }

  paint(...ops: readonly Op[]): void {
    this.ops.push(...ops);
  }

  report(...issues: readonly Issue[]): void {
    this.#issues.push(...issues);
  }

  image(
    id: string,
    source: string,
    placement: ImagePlacement,
    box: Rect,
    outline: Outline,
    opacity: number,
  ): void {
    const size = this.assets.images.size(source);
    if (size) {
      this.ops.push(...imageOps(source, placement, size, box, outline, opacity));
      return;
    }
    this.ops.push(...placeholderOps(source, box, this.assets));
    this.missingImage(id, source);
  }

  missingImage(zone: string, source: string): void {
    const called = missingName(source);
    const name = called.length > 80 ? `${called.slice(0, 79)}…` : called;
    this.#issues.push({
      zone,
      code: 'missing-image',
      message: `The image «${name}» ${this.assets.images.refusal?.(source) ?? 'is not in the library: upload it or correct the name.'}`,
    });
  }
}

/** Amounts at which a filter has no effect. */
const NEUTRAL: Readonly<Partial<Record<Filter['kind'], number>>> = {
  brightness: 1,
  contrast: 1,
  saturate: 1,
};

const changesSomething = ({ kind, amount }: Filter): boolean => amount !== (NEUTRAL[kind] ?? 0);

function frameOf(zone: ShownZone, parent: string, box: Rect, matrix: Matrix, outline: Outline): ZoneFrame {
  return {
    id: zone.id,
    name: zone.name,
    kind: zone.kind === 'container' ? zone.from : zone.kind,
    zone: sourceId(zone.id),
    parent,
    box,
    matrix,
    outline,
    text: '',
    fittedSize: 0,
  };
}
